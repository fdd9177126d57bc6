// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A setting that exists. A test compares the list with {@code docs/configuration.md}.
 *
 * @param path its path in the file, with {@code <name>} for a user-defined name
 * @param type the type of its value, as in the document
 * @param otherwise its default as text; empty if there is none
 */
public record Setting(String path, String type, String otherwise) {
    private static final String TEXT = "text";
    private static final String FILE = "file";
    private static final String CLASS = "class name";
    private static final String FLAG = "true, false";
    private static final String NUMBER = "number";
    private static final String SIZE = "size";
    private static final String DURATION = "duration";
    private static final String FRACTION = "fraction";

    public static final List<Setting> ALL = List.of(
            new Setting("engine", "embedded, instances, cluster", "embedded"),
            new Setting("partitions", "number, list, mapping", "3"),
            new Setting("partitions.<name>", "address, weight, mapping", ""),
            new Setting("partitions.<name>.uri", "address", ""),
            new Setting("partitions.<name>.weight", NUMBER, "1"),
            new Setting("partitions.<name>.slots", "list", ""),
            new Setting("partitions.<name>.zone", TEXT, ""),
            new Setting("partitions.<name>.replicas", "list", ""),
            new Setting("partitions.<name>.connection.username", TEXT, ""),
            new Setting("partitions.<name>.connection.password", "text, mapping", ""),
            new Setting("partitions.<name>.connection.password.file", FILE, ""),
            new Setting("partitions.<name>.connection.sentinel.username", TEXT, ""),
            new Setting("partitions.<name>.connection.sentinel.password", "text, mapping", ""),
            new Setting("partitions.<name>.connection.sentinel.password.file", FILE, ""),
            new Setting("partitions.<name>.tls.authorities", FILE, ""),
            new Setting("partitions.<name>.tls.trustStore", FILE, ""),
            new Setting("partitions.<name>.tls.trustStorePassword", TEXT, ""),
            new Setting("partitions.<name>.tls.certificate", FILE, ""),
            new Setting("partitions.<name>.tls.key", FILE, ""),
            new Setting("partitions.<name>.tls.keyPassword", TEXT, ""),
            new Setting("partitions.<name>.tls.keyStore", FILE, ""),
            new Setting("partitions.<name>.tls.keyStorePassword", TEXT, ""),
            new Setting("partitions.<name>.tls.serverName", TEXT, ""),
            new Setting("zone", TEXT, ""),
            new Setting("namespace", TEXT, ""),
            new Setting("sharedInstances", FLAG, "false"),
            new Setting("adoptInstances", "true, false, always", "true"),
            new Setting("catalogue", "configuration, instances", ""),
            new Setting("placements.<name>.list", "mapping", ""),
            new Setting("placements.<name>.rangesOf", "number, text, uuid, instant, date", ""),
            new Setting("placements.<name>.ranges", "mapping", ""),
            new Setting("placements.<name>.else", "hash, refuse", "hash"),
            new Setting("deadlines.call", DURATION, "500ms"),
            new Setting("deadlines.command", DURATION, "200ms"),
            new Setting("deadlines.connect", DURATION, "2s"),
            new Setting("map.key", TEXT, ""),
            new Setting("connection.hosts", "list", ""),
            new Setting("connection.username", TEXT, ""),
            new Setting("connection.password", "text, mapping", ""),
            new Setting("connection.password.file", FILE, ""),
            new Setting("connection.sentinel.username", TEXT, ""),
            new Setting("connection.sentinel.password", "text, mapping", ""),
            new Setting("connection.sentinel.password.file", FILE, ""),
            new Setting("tls.authorities", FILE, ""),
            new Setting("tls.trustStore", FILE, ""),
            new Setting("tls.trustStorePassword", TEXT, ""),
            new Setting("tls.certificate", FILE, ""),
            new Setting("tls.key", FILE, ""),
            new Setting("tls.keyPassword", TEXT, ""),
            new Setting("tls.keyStore", FILE, ""),
            new Setting("tls.keyStorePassword", TEXT, ""),
            new Setting("tls.serverName", TEXT, ""),
            new Setting("limits.keyBytes", SIZE, "1KiB"),
            new Setting("limits.valueBytes", SIZE, "8MiB"),
            new Setting("limits.batchKeys", NUMBER, "10000"),
            new Setting("groups.entries", NUMBER, "100000"),
            new Setting("groups.bytes", SIZE, "256MiB"),
            new Setting("groups.onExcess", "report, refuse", "report"),
            new Setting("groups.transactionOperations", NUMBER, "100"),
            new Setting("groups.transactionBytes", SIZE, "4MiB"),
            new Setting("codec.default", "codec name, class name", "default"),
            new Setting("codec.allow", "list", ""),
            new Setting("embedded.maximumSize", SIZE, "256MiB"),
            new Setting("async.threads", NUMBER, "4"),
            new Setting("async.queue", NUMBER, "10000"),
            new Setting("async.wait", DURATION, "10s"),
            new Setting("loading.threads", NUMBER, "64"),
            new Setting("startup.wait", DURATION, "2s"),
            new Setting("metrics", FLAG, "true"),
            new Setting("trafficReports", "duration, off", "1m"),
            new Setting("near", "false, mapping", "false"),
            new Setting("near.maximumEntries", NUMBER, ""),
            new Setting("near.maximumSize", SIZE, ""),
            new Setting("near.staleness", DURATION, ""),
            new Setting("near.values", "copy, shared", ""),
            new Setting("near.whenMissing", "drop, mapping", ""),
            new Setting("near.whenMissing.serve", DURATION, ""),
            new Setting("caches.<name>.ttl", DURATION, ""),
            new Setting("caches.<name>.expiry", "eternal, created, modified, accessed, touched", ""),
            new Setting("caches.<name>.entityType", TEXT, ""),
            new Setting("caches.<name>.groupedBy", TEXT, ""),
            new Setting("caches.<name>.indexed", FLAG, ""),
            new Setting("caches.<name>.keyType", CLASS, ""),
            new Setting("caches.<name>.valueType", CLASS, ""),
            new Setting("caches.<name>.codec", "codec name, class name", ""),
            new Setting("caches.<name>.layout", "keyslot, raw", "keyslot"),
            new Setting("caches.<name>.missingPartition", "loader, miss, fail", ""),
            new Setting("caches.<name>.missingPartitionWrites", "fail, journal", "fail"),
            new Setting("caches.<name>.readThrough", FLAG, ""),
            new Setting("caches.<name>.writeThrough", FLAG, ""),
            new Setting("caches.<name>.loader", CLASS, ""),
            new Setting("caches.<name>.writer", CLASS, ""),
            new Setting("caches.<name>.loading.timeout", DURATION, ""),
            new Setting("caches.<name>.loading.patience", DURATION, "400ms"),
            new Setting("caches.<name>.loading.jitter", FRACTION, "0.1"),
            new Setting("caches.<name>.loading.refreshAhead", FLAG, "false"),
            new Setting("caches.<name>.loading.staleWhileRevalidate", DURATION, "0ms"),
            new Setting("caches.<name>.loading.staleIfError", DURATION, "0ms"),
            new Setting("caches.<name>.loading.negativeTtl", DURATION, "0ms"),
            new Setting("caches.<name>.loading.bulkhead", NUMBER, "50"),
            new Setting("caches.<name>.writeBehind", "true, false, mapping", "false"),
            new Setting("caches.<name>.writeBehind.delay", DURATION, "1s"),
            new Setting("caches.<name>.writeBehind.queue", NUMBER, "10000"),
            new Setting("caches.<name>.writeBehind.batch", NUMBER, "100"),
            new Setting("caches.<name>.writeBehind.attempts", NUMBER, "20"),
            new Setting("caches.<name>.writeBehind.closeWait", DURATION, "10s"),
            new Setting("caches.<name>.events", "local, keys", "local"),
            new Setting("caches.<name>.reads", "primary, replica, nearest", "primary"),
            new Setting("caches.<name>.maxStaleness", DURATION, ""),
            new Setting("caches.<name>.near", "false, mapping", ""),
            new Setting("caches.<name>.near.maximumEntries", NUMBER, ""),
            new Setting("caches.<name>.near.maximumSize", SIZE, ""),
            new Setting("caches.<name>.near.staleness", DURATION, "2s"),
            new Setting("caches.<name>.near.values", "copy, shared", "copy"),
            new Setting("caches.<name>.near.whenMissing", "drop, mapping", "drop"),
            new Setting("caches.<name>.near.whenMissing.serve", DURATION, ""),
            new Setting("caches.<name>.statistics", FLAG, ""),
            new Setting("caches.<name>.management", FLAG, ""),
            new Setting("caches.<name>.limits.keyBytes", SIZE, ""),
            new Setting("caches.<name>.limits.valueBytes", SIZE, ""),
            new Setting("caches.<name>.limits.batchKeys", NUMBER, ""));

    /** Returns the keys that are allowed in a section, given as the beginning of a path; the root is the empty text. */
    public static Set<String> keysIn(String section) {
        String prefix = section.isEmpty() ? "" : section + ".";
        return ALL.stream()
                .map(Setting::path)
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()).split("\\.", 2)[0])
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the sections within a section, as relative paths, the deepest ones first. */
    static List<String> sectionsIn(String section) {
        String prefix = section + ".";
        return ALL.stream()
                .map(Setting::path)
                .filter(path -> path.startsWith(prefix) && path.indexOf('.', prefix.length()) > 0)
                .map(path -> path.substring(prefix.length(), path.lastIndexOf('.')))
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }
}
