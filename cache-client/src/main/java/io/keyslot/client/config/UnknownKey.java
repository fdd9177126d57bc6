// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Describes a key that is not a setting, and suggests the right one. */
public final class UnknownKey {
    private static final String USE_PARTITIONS = "list the instances under partitions";
    private static final String USE_TTL = "use ttl of the cache";
    private static final String USE_MAXMEMORY =
            "set maxmemory and a maxmemory-policy at the instances (embedded.maximumSize for embedded partitions)";

    // The names of settings in other cache clients. None of these was ever a setting of Keyslot.
    static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("nodes", USE_PARTITIONS),
            Map.entry("servers", USE_PARTITIONS),
            Map.entry("hosts", USE_PARTITIONS),
            Map.entry("addresses", USE_PARTITIONS),
            Map.entry("shards", USE_PARTITIONS),
            Map.entry("timeout", "use deadlines.call"),
            Map.entry("commandTimeout", "use deadlines.command"),
            Map.entry("connectTimeout", "use deadlines.connect"),
            Map.entry("expire", USE_TTL),
            Map.entry("expiration", USE_TTL),
            Map.entry("timeToLive", USE_TTL),
            Map.entry("singleServerConfig", USE_PARTITIONS),
            Map.entry("clusterServersConfig", USE_PARTITIONS),
            Map.entry("masterSlaveServersConfig", USE_PARTITIONS),
            Map.entry("sentinelServersConfig", USE_PARTITIONS),
            Map.entry("replicatedServersConfig", USE_PARTITIONS),
            Map.entry("expireAfterWrite", USE_TTL),
            Map.entry("maxSize", USE_MAXMEMORY),
            Map.entry("maximumSize", USE_MAXMEMORY),
            Map.entry("maxEntries", USE_MAXMEMORY),
            Map.entry("ssl", "write rediss:// in the address, and see tls"),
            Map.entry("password", "write it into the address"),
            Map.entry("keyPrefix", "use namespace"),
            Map.entry("serializer", "use codec"));

    private static final Map<String, String> PLAIN_ELSEWHERE = ELSEWHERE.entrySet().stream()
            .collect(Collectors.toUnmodifiableMap(e -> plain(e.getKey()), Map.Entry::getValue, (one, same) -> one));

    private UnknownKey() {}

    /** Normalizes a key: some clients write time-to-live for timeToLive, and maxSize for maximumSize. */
    private static String plain(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT).replaceFirst("^maximum", "max");
    }

    static String explain(String key, Set<String> known) {
        Optional<String> meant =
                known.stream().filter(ours -> plain(ours).equals(plain(key))).findFirst();
        if (meant.isPresent()) {
            return "is not a setting, did you mean %s?".formatted(meant.get());
        }
        String elsewhere = PLAIN_ELSEWHERE.get(plain(key));
        if (elsewhere != null) {
            return "is not used by Keyslot, " + elsewhere;
        }
        return similar(key, known)
                .map(suggestion -> "is not a setting, did you mean %s?".formatted(suggestion))
                .orElseGet(() -> "is not a setting, those here are "
                        + known.stream().sorted().collect(Collectors.joining(", ")));
    }

    private static Optional<String> similar(String key, Set<String> known) {
        return known.stream()
                .filter(candidate -> distance(key, candidate) <= Math.max(1, candidate.length() / 3))
                .min(Comparator.comparingInt((String candidate) -> distance(key, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    public static int distance(String one, String other) {
        int[] previous = new int[other.length() + 1];
        for (int column = 0; column < previous.length; column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            int[] current = new int[previous.length];
            current[0] = row;
            for (int column = 1; column < current.length; column++) {
                int replaced = previous[column - 1] + (same(one.charAt(row - 1), other.charAt(column - 1)) ? 0 : 1);
                current[column] = Math.min(replaced, 1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[other.length()];
    }

    private static boolean same(char one, char other) {
        return Character.toLowerCase(one) == Character.toLowerCase(other);
    }
}
