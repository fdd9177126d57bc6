// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a test. Immutable.
 *
 * @param partitions the number of embedded partitions {@code p1}, {@code p2} and so on, which replace those of the
 *     configuration; 3 by default
 * @param configuration the location of the configuration, as in the property {@code keyslot.config}; null, the
 *     default, for {@code keyslot.yaml} on the class path if it exists
 * @param properties override the configuration; their keys begin with {@code keyslot.}
 * @param seed the seed of all random choices; 1 by default. The same seed gives the same run
 */
public record KeyslotSettings(
        int partitions, @Nullable String configuration, Map<String, String> properties, long seed) {
    private static final int DEFAULT_PARTITIONS = 3;
    private static final long DEFAULT_SEED = 1;

    public KeyslotSettings {
        if (partitions < 1) {
            throw new IllegalArgumentException(
                    "Keyslot settings: partitions is %d, must be at least 1".formatted(partitions));
        }
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /** Returns the default settings. */
    public static KeyslotSettings defaults() {
        return new KeyslotSettings(DEFAULT_PARTITIONS, null, Map.of(), DEFAULT_SEED);
    }

    /** Returns these settings with another number of partitions. */
    public KeyslotSettings withPartitions(int count) {
        return new KeyslotSettings(count, configuration, properties, seed);
    }

    /** Returns these settings with another configuration: {@code classpath:shop.yaml}, {@code file:…} or a path. */
    public KeyslotSettings withConfiguration(String where) {
        return new KeyslotSettings(partitions, where, properties, seed);
    }

    /** Returns these settings with a further property: {@code keyslot.caches.customer.ttl}, {@code 10m}. */
    public KeyslotSettings withProperty(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(properties);
        more.put(key, value);
        return new KeyslotSettings(partitions, configuration, more, seed);
    }

    /** Returns these settings with another seed. */
    public KeyslotSettings withSeed(long number) {
        return new KeyslotSettings(partitions, configuration, properties, number);
    }
}
