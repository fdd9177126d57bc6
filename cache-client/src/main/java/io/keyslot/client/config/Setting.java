// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static io.keyslot.client.config.ValueType.ADOPTION;
import static io.keyslot.client.config.ValueType.CLASS;
import static io.keyslot.client.config.ValueType.FILE;
import static io.keyslot.client.config.ValueType.FLAG;
import static io.keyslot.client.config.ValueType.FLAG_OR_MAPPING;
import static io.keyslot.client.config.ValueType.LABEL;
import static io.keyslot.client.config.ValueType.NAME;
import static io.keyslot.client.config.ValueType.duration;
import static io.keyslot.client.config.ValueType.durationOrOff;
import static io.keyslot.client.config.ValueType.number;
import static io.keyslot.client.config.ValueType.oneOf;
import static io.keyslot.client.config.ValueType.size;
import static io.keyslot.client.config.ValueType.wordOrMapping;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearValues;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.client.config.CacheOptions.ExpiryKind;
import io.keyslot.client.config.ClientOptions.CatalogueOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A setting that exists, with its bounds; {@link #ALL} is the one table of them. A test compares it with
 * {@code docs/configuration.md}, which says what each means; the metadata for Spring and the JSON schema are made of both.
 *
 * @param path its path in the file, with {@code <name>} for a user-defined name
 * @param type the type of its value, as in the document
 * @param otherwise its default as text; empty if there is none
 * @param values the type of a single value, or of each item of a list; null if only a mapping is allowed, or if the
 *     reader of partitions parses it
 */
public record Setting(
        String path,
        String type,
        String otherwise,
        @Nullable ValueType<?> values) {
    private static final Duration MS = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration YEAR = Duration.ofDays(365);

    /** How a cache reads, as it is written. */
    enum Reads {
        PRIMARY,
        REPLICA,
        NEAREST
    }

    /** All settings that can be written. */
    public static final List<Setting> WITH_REPEATED = Stream.of(
                    settingsOfPartitions(),
                    access("partitions.<name>."),
                    access(""),
                    settingsOfTheProcess(),
                    near("near", "false"),
                    settingsOfACache(),
                    near("caches.<name>.near", ""),
                    Stream.of(of("caches.<name>.statistics", FLAG), of("caches.<name>.management", FLAG)),
                    settingsOfAQueue())
            .flatMap(Function.identity())
            .toList();

    private static Stream<Setting> settingsOfPartitions() {
        return Stream.of(
                of("engine", oneOf(Engine.class), "embedded"),
                of("partitions", number(1, PartitionsReader.MOST).named("number, list, mapping"), "3"),
                tree("partitions.<name>", "address, mapping"),
                tree("partitions.<name>.uri", "address"),
                of("partitions.<name>.weight", number(0, PartitionOptions.LARGEST_WEIGHT), "1"),
                of("partitions.<name>.zone", LABEL),
                tree("partitions.<name>.replicas", "list"),
                tree("partitions.<name>.connection", "mapping"),
                tree("partitions.<name>.tls", "mapping"),
                of("zone", LABEL),
                of("namespace", LABEL),
                of("sharedInstances", FLAG, "false"),
                of("adoptInstances", ADOPTION, "true"),
                of("catalogue", oneOf(CatalogueOptions.Kind.class)),
                tree("placements.<name>.list", "mapping"),
                of("placements.<name>.rangesOf", oneOf("number", "text", "uuid", "instant", "date")),
                tree("placements.<name>.ranges", "mapping"),
                of("placements.<name>.else", oneOf("hash", "refuse"), "hash"),
                of("deadlines.call", duration(MS, HOUR), "500ms"),
                of("deadlines.command", duration(MS, HOUR), "200ms"),
                of("deadlines.connect", duration(MS, HOUR), "2s"),
                of("map.key", NAME),
                of("connection.hosts", ValueType.HOST_PATTERN));
    }

    private static Stream<Setting> settingsOfTheProcess() {
        return Stream.of(
                of("limits.keyBytes", size(16, 8L << 10), "1KiB"),
                of("limits.valueBytes", size(64, 512L << 20), "8MiB"),
                of("limits.batchKeys", number(1, 1_000_000), "10000"),
                of("groups.entries", number(1, 999_999_999), "100000"),
                of("groups.bytes", size(1, 1L << 40), "256MiB"),
                of("codec.default", ValueType.CODEC, "default"),
                of("codec.allow", ValueType.CLASS_PATTERN),
                of("embedded.maximumSize", size(64L << 10, 1L << 40), "256MiB"),
                of("async.threads", number(1, 1024), "4"),
                of("loading.threads", number(1, 10_000), "64"),
                of("startup.wait", duration(Duration.ZERO, Duration.ofMinutes(10)), "2s"),
                of("metrics", FLAG, "true"),
                of("trafficReports", durationOrOff(Duration.ofSeconds(1), HOUR), "1m"));
    }

    /** The login and the certificates of all partitions, or of one. */
    private static Stream<Setting> access(String of) {
        String connection = of + "connection";
        String tls = of + "tls";
        return Stream.of(
                of(connection + ".username", NAME),
                of(connection + ".password", NAME.named("text, mapping")),
                of(connection + ".password.file", FILE),
                tree(connection + ".sentinel", "mapping"),
                of(connection + ".sentinel.username", NAME),
                of(connection + ".sentinel.password", NAME.named("text, mapping")),
                of(connection + ".sentinel.password.file", FILE),
                of(tls + ".authorities", FILE),
                of(tls + ".certificate", FILE),
                of(tls + ".key", FILE),
                of(tls + ".serverName", ValueType.HOST));
    }

    private static Stream<Setting> settingsOfACache() {
        return Stream.of(
                of("caches.<name>.ttl", ValueType.DURATION_ABOVE_ZERO),
                of("caches.<name>.expiry", oneOf(ExpiryKind.class)),
                of("caches.<name>.entityType", NAME),
                of("caches.<name>.groupedBy", NAME),
                of("caches.<name>.indexed", FLAG),
                of("caches.<name>.keyType", CLASS),
                of("caches.<name>.valueType", CLASS),
                of("caches.<name>.codec", ValueType.CODEC),
                of("caches.<name>.encryption.key", ValueType.SECRET),
                of("caches.<name>.encryption.previous", ValueType.SECRET.named("list")),
                of("caches.<name>.compression", FLAG_OR_MAPPING, "false"),
                of("caches.<name>.compression.from", size(64, 512L << 20), "1KiB"),
                of("caches.<name>.compression.dictionary", oneOf("none", "sampled"), "none"),
                of("caches.<name>.hashedKeys", ValueType.SECRET),
                of("caches.<name>.layout", oneOf(ValueLayout.class), "keyslot"),
                of("caches.<name>.missingPartition", oneOf(MissingPartitionPolicy.class)),
                of("caches.<name>.missingPartitionWrites", oneOf(MissingPartitionWritePolicy.class), "fail"),
                of("caches.<name>.gutter.for", duration(Duration.ofSeconds(1), Duration.ofMinutes(5))),
                of("caches.<name>.readThrough", FLAG),
                of("caches.<name>.writeThrough", FLAG),
                of("caches.<name>.loader", CLASS),
                of("caches.<name>.writer", CLASS),
                of("caches.<name>.loading.timeout", duration(MS, YEAR)),
                of("caches.<name>.loading.patience", duration(Duration.ZERO, YEAR), "400ms"),
                of("caches.<name>.loading.staleWhileRevalidate", duration(Duration.ZERO, YEAR), "0ms"),
                of("caches.<name>.loading.staleIfError", duration(Duration.ZERO, YEAR), "0ms"),
                of("caches.<name>.loading.negativeTtl", duration(Duration.ZERO, YEAR), "0ms"),
                of("caches.<name>.loading.bulkhead", number(1, 10_000), "50"),
                of("caches.<name>.writeBehind", FLAG_OR_MAPPING, "false"),
                of("caches.<name>.writeBehind.delay", duration(Duration.ZERO, HOUR), "1s"),
                of("caches.<name>.writeBehind.queue", number(1, 1_000_000), "10000"),
                of("caches.<name>.writeBehind.batch", number(1, 1_000_000), "100"),
                of("caches.<name>.writeBehind.attempts", number(1, 1_000_000), "20"),
                of("caches.<name>.events", oneOf(EventScope.class), "local"),
                of("caches.<name>.feed", FLAG_OR_MAPPING, "false"),
                of("caches.<name>.feed.keep", duration(Duration.ofSeconds(1), Duration.ofDays(30)), "10m"),
                of("caches.<name>.feed.atMost", number(100, 10_000_000), "100000"),
                of("caches.<name>.feed.values", FLAG, "false"),
                of("caches.<name>.reads", oneOf(Reads.class), "primary"),
                of("caches.<name>.maxStaleness", duration(ReplicaReads.LEAST, ReplicaReads.MOST)));
    }

    private static Stream<Setting> settingsOfAQueue() {
        return Stream.of(
                of("queues.<name>.lease", duration(Duration.ofMillis(100), HOUR), "30s"),
                of("queues.<name>.deliveries", number(1, 1_000), "10"),
                of("queues.<name>.duplicateWindow", duration(Duration.ofSeconds(1), Duration.ofDays(1)), "10m"),
                of("queues.<name>.atMost", number(1, 1_000_000), "10000"));
    }

    // There is no near: true, as a near cache needs an explicit bound of its memory.
    private static Stream<Setting> near(String section, String otherwise) {
        return Stream.of(
                of(
                        section,
                        wordOrMapping("false", "must be false, or a mapping with maximumEntries or maximumSize"),
                        otherwise),
                of(section + ".maximumEntries", number(1, 999_999_999)),
                of(section + ".maximumSize", size(1L << 10, 1L << 40)),
                of(section + ".staleness", duration(Duration.ofMillis(10), Duration.ofMinutes(1)), "2s"),
                of(section + ".values", oneOf(NearValues.class), "copy"),
                of(
                        section + ".whenMissing",
                        wordOrMapping("drop", "must be drop, or a mapping such as serve: 30s"),
                        "drop"),
                of(section + ".whenMissing.serve", duration(MS, Duration.ofHours(24))));
    }

    /** How the paths begin that need no row: another section describes them, or the row of the mapping they are in. */
    private static final List<String> REPEATED = List.of(
            "partitions.<name>.uri",
            "partitions.<name>.connection.",
            "partitions.<name>.tls.",
            "connection.password.",
            "connection.sentinel.",
            "near.",
            "caches.<name>.near.whenMissing.");

    /** The settings with a row of their own. */
    public static final List<Setting> ALL = WITH_REPEATED.stream()
            .filter(setting -> REPEATED.stream().noneMatch(setting.path::startsWith))
            .toList();

    private static final Map<String, Setting> BY_PATH =
            WITH_REPEATED.stream().collect(Collectors.toUnmodifiableMap(Setting::path, Function.identity()));

    private static Setting of(String path, ValueType<?> values) {
        return of(path, values, "");
    }

    private static Setting of(String path, ValueType<?> values, String otherwise) {
        return new Setting(path, values.name(), otherwise, values);
    }

    private static Setting tree(String path, String type) {
        return new Setting(path, type, "", null);
    }

    /** Returns the setting with this path, which must exist. */
    static Setting at(String path) {
        return Objects.requireNonNull(BY_PATH.get(path), path);
    }

    /** Returns the type of a single value, which must not be a mapping. */
    ValueType<?> single() {
        return Objects.requireNonNull(values, path);
    }

    /** Returns the keys that are allowed in a section, given as the beginning of a path; the root is the empty text. */
    public static Set<String> keysIn(String section) {
        String prefix = section.isEmpty() ? "" : section + ".";
        return WITH_REPEATED.stream()
                .map(Setting::path)
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()).split("\\.", 2)[0])
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the sections within a section, as relative paths, the deepest ones first. */
    static List<String> sectionsIn(String section) {
        String prefix = section + ".";
        return WITH_REPEATED.stream()
                .map(Setting::path)
                .filter(path -> path.startsWith(prefix) && path.indexOf('.', prefix.length()) > 0)
                .map(path -> path.substring(prefix.length(), path.lastIndexOf('.')))
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }
}
