// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static io.keyslot.client.config.ValueType.CLASS;
import static io.keyslot.client.config.ValueType.FILE;
import static io.keyslot.client.config.ValueType.FLAG;
import static io.keyslot.client.config.ValueType.LABEL;
import static io.keyslot.client.config.ValueType.NAME;
import static io.keyslot.client.config.ValueType.TEXT;
import static io.keyslot.client.config.ValueType.duration;
import static io.keyslot.client.config.ValueType.durationOrOff;
import static io.keyslot.client.config.ValueType.fraction;
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
import io.keyslot.client.config.ClientOptions.EmbeddedOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.partition.Adoption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A setting that exists, with its bounds; {@link #ALL} is the one table of them. A test compares it with
 * {@code docs/configuration.md}, from which the metadata for Spring are made. A section that repeats another one, such
 * as {@code tls} of a partition, is one setting in the table, and its settings are only in {@link #WITH_REPEATED}.
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

    /** How the paths begin that need no row: another section describes them, or the row of the mapping they are in. */
    private static final List<String> REPEATED = List.of(
            "partitions.<name>.uri",
            "partitions.<name>.connection.",
            "partitions.<name>.tls.",
            "connection.password.",
            "connection.sentinel.",
            "near.",
            "caches.<name>.near.whenMissing.",
            "caches.<name>.limits.");

    /** All settings that can be written. */
    public static final List<Setting> WITH_REPEATED = Stream.of(
                    partitions(),
                    sharing(),
                    login("connection"),
                    tls("tls"),
                    limits("limits"),
                    groups(),
                    process(),
                    near("near", "false"),
                    cache())
            .flatMap(Function.identity())
            .toList();

    /** The settings with a row of their own. */
    public static final List<Setting> ALL = WITH_REPEATED.stream()
            .filter(setting -> REPEATED.stream().noneMatch(setting.path::startsWith))
            .toList();

    private static final Map<String, Setting> BY_PATH =
            WITH_REPEATED.stream().collect(Collectors.toUnmodifiableMap(Setting::path, Function.identity()));

    /** How a cache reads, as it is written. */
    enum Reads {
        PRIMARY,
        REPLICA,
        NEAREST
    }

    private static Setting of(String path, ValueType<?> values) {
        return of(path, values, "");
    }

    private static Setting of(String path, ValueType<?> values, String otherwise) {
        return new Setting(path, values.name(), otherwise, values);
    }

    private static Setting tree(String path, String type) {
        return new Setting(path, type, "", null);
    }

    private static Stream<Setting> partitions() {
        String one = "partitions.<name>";
        return Stream.of(
                        Stream.of(
                                of("engine", oneOf(Engine.class), "embedded"),
                                of("partitions", number(1, PartitionForms.MOST).named("number, list, mapping"), "3"),
                                tree(one, "address, weight, mapping"),
                                tree(one + ".uri", "address"),
                                of(one + ".weight", PartitionForms.WEIGHT, "1"),
                                of(one + ".slots", ValueType.SLOTS),
                                of(one + ".zone", LABEL),
                                tree(one + ".replicas", "list"),
                                tree(one + ".connection", "mapping")),
                        login(one + ".connection"),
                        Stream.of(tree(one + ".tls", "mapping")),
                        tls(one + ".tls"))
                .flatMap(Function.identity());
    }

    private static Stream<Setting> login(String section) {
        String sentinel = section + ".sentinel";
        return Stream.of(user(section), Stream.of(tree(sentinel, "mapping")), user(sentinel))
                .flatMap(Function.identity());
    }

    private static Stream<Setting> user(String section) {
        return Stream.of(
                of(section + ".username", NAME),
                of(section + ".password", NAME.named("text, mapping")),
                of(section + ".password.file", FILE));
    }

    private static Stream<Setting> tls(String section) {
        return Stream.of(
                of(section + ".authorities", FILE),
                of(section + ".trustStore", FILE),
                of(section + ".trustStorePassword", TEXT),
                of(section + ".certificate", FILE),
                of(section + ".key", FILE),
                of(section + ".keyPassword", TEXT),
                of(section + ".keyStore", FILE),
                of(section + ".keyStorePassword", TEXT),
                of(section + ".serverName", ValueType.HOST));
    }

    private static Stream<Setting> sharing() {
        ValueType<Adoption> adoption =
                new ValueType<>("true, false, always", "must be true, false or always", text -> switch (text) {
                    case "true" -> Optional.of(Adoption.UNUSED);
                    case "false" -> Optional.of(Adoption.NEVER);
                    case "always" -> Optional.of(Adoption.ALWAYS);
                    default -> Optional.empty();
                });
        ValueType<CatalogueOptions.Kind> kinds = oneOf(CatalogueOptions.Kind.class);
        String placement = "placements.<name>";
        return Stream.of(
                of("zone", LABEL),
                of("namespace", LABEL),
                of("sharedInstances", FLAG, "false"),
                of("adoptInstances", adoption, "true"),
                of("catalogue", new ValueType<>(kinds.name(), "must be configuration or instances", kinds.parser())),
                tree(placement + ".list", "mapping"),
                of(placement + ".rangesOf", oneOf("number", "text", "uuid", "instant", "date")),
                tree(placement + ".ranges", "mapping"),
                of(placement + ".else", oneOf("hash", "refuse"), "hash"),
                of("deadlines.call", duration(MS, HOUR), "500ms"),
                of("deadlines.command", duration(MS, HOUR), "200ms"),
                of("deadlines.connect", duration(MS, HOUR), "2s"),
                of("map.key", NAME),
                of("connection.hosts", ValueType.HOST_PATTERN));
    }

    private static Stream<Setting> limits(String section) {
        return Stream.of(
                of(section + ".keyBytes", size(16, 8L << 10), "1KiB"),
                of(section + ".valueBytes", size(64, 512L << 20), "8MiB"),
                of(section + ".batchKeys", number(1, 1_000_000), "10000"));
    }

    private static Stream<Setting> groups() {
        return Stream.of(
                of("groups.entries", number(1, 999_999_999), "100000"),
                of("groups.bytes", size(1, 1L << 40), "256MiB"),
                of("groups.transactionOperations", number(1, 10_000), "100"),
                of("groups.transactionBytes", size(1, 512L << 20), "4MiB"));
    }

    private static Stream<Setting> process() {
        return Stream.of(
                of("codec.default", ValueType.CODEC, "default"),
                of("codec.allow", ValueType.CLASS_PATTERN),
                of("embedded.maximumSize", size(EmbeddedOptions.SMALLEST, EmbeddedOptions.LARGEST), "256MiB"),
                of("async.threads", number(1, AsyncOptions.MOST_THREADS), "4"),
                of("async.queue", number(1, AsyncOptions.LONGEST_QUEUE), "10000"),
                of("async.wait", duration(AsyncOptions.SHORTEST_WAIT, AsyncOptions.LONGEST_WAIT), "10s"),
                of("loading.threads", number(1, ClientOptions.MOST_LOADING_THREADS), "64"),
                of("startup.wait", duration(Duration.ZERO, Duration.ofMinutes(10)), "2s"),
                of("metrics", FLAG, "true"),
                of("trafficReports", durationOrOff(Duration.ofSeconds(1), HOUR), "1m"));
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

    private static Stream<Setting> cache() {
        String cache = "caches.<name>";
        String loading = cache + ".loading";
        String behind = cache + ".writeBehind";
        ValueType<Duration> ageOrOff = duration(Duration.ZERO, YEAR);
        // An empty value is refused: what a crash loses must not depend on a line that was commented out.
        ValueType<Boolean> writeBehind =
                new ValueType<>("true, false, mapping", "must be true, false or a mapping", FLAG.parser());
        return Stream.of(
                        Stream.of(
                                of(cache + ".ttl", ValueType.DURATION_ABOVE_ZERO),
                                of(cache + ".expiry", oneOf(ExpiryKind.class)),
                                of(cache + ".entityType", NAME),
                                of(cache + ".groupedBy", NAME),
                                of(cache + ".indexed", FLAG),
                                of(cache + ".keyType", CLASS),
                                of(cache + ".valueType", CLASS),
                                of(cache + ".codec", ValueType.CODEC),
                                of(cache + ".layout", oneOf(ValueLayout.class), "keyslot"),
                                of(cache + ".missingPartition", oneOf(MissingPartitionPolicy.class)),
                                of(cache + ".missingPartitionWrites", oneOf(MissingPartitionWritePolicy.class), "fail"),
                                of(cache + ".readThrough", FLAG),
                                of(cache + ".writeThrough", FLAG),
                                of(cache + ".loader", CLASS),
                                of(cache + ".writer", CLASS),
                                of(loading + ".timeout", duration(MS, YEAR)),
                                of(loading + ".patience", ageOrOff, "400ms"),
                                of(loading + ".jitter", fraction(0.5), "0.1"),
                                of(loading + ".refreshAhead", FLAG, "false"),
                                of(loading + ".staleWhileRevalidate", ageOrOff, "0ms"),
                                of(loading + ".staleIfError", ageOrOff, "0ms"),
                                of(loading + ".negativeTtl", ageOrOff, "0ms"),
                                of(loading + ".bulkhead", number(1, 10_000), "50"),
                                of(behind, writeBehind, "false"),
                                of(behind + ".delay", duration(Duration.ZERO, HOUR), "1s"),
                                of(behind + ".queue", number(1, 1_000_000), "10000"),
                                of(behind + ".batch", number(1, 1_000_000), "100"),
                                of(behind + ".attempts", number(1, 1_000_000), "20"),
                                of(behind + ".closeWait", duration(Duration.ZERO, HOUR), "10s"),
                                of(cache + ".events", oneOf(EventScope.class), "local"),
                                of(cache + ".reads", oneOf(Reads.class), "primary"),
                                of(cache + ".maxStaleness", duration(ReplicaReads.LEAST, ReplicaReads.MOST))),
                        near(cache + ".near", ""),
                        Stream.of(
                                of(cache + ".statistics", FLAG),
                                of(cache + ".management", FLAG),
                                tree(cache + ".limits", "mapping")),
                        limits(cache + ".limits"))
                .flatMap(Function.identity());
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
