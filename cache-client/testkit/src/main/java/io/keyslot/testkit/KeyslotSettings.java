// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * With what a test runs. Immutable.
 *
 * @param partitions how many embedded partitions there are, {@code p1}, {@code p2} and so on; 3 by default. They take the
 *     place of those that the configuration names
 * @param configuration where the configuration is, in the form of the property {@code keyslot.config}; null for
 *     {@code keyslot.yaml} on the class path if there is one, the default
 * @param properties override the configuration; their keys begin with {@code keyslot.}
 * @param seed decides everything that is left to chance; 1 by default. The same seed gives the same run
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

    /** Returns what is in force if nothing is said. */
    public static KeyslotSettings defaults() {
        return new KeyslotSettings(DEFAULT_PARTITIONS, null, Map.of(), DEFAULT_SEED);
    }

    /** Returns the same with another number of partitions. */
    public KeyslotSettings withPartitions(int count) {
        return new KeyslotSettings(count, configuration, properties, seed);
    }

    /** Returns the same with another configuration: {@code classpath:shop.yaml}, {@code file:…} or a path. */
    public KeyslotSettings withConfiguration(String where) {
        return new KeyslotSettings(partitions, where, properties, seed);
    }

    /** Returns the same with one more property: {@code keyslot.caches.customer.ttl}, {@code 10m}. */
    public KeyslotSettings withProperty(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(properties);
        more.put(key, value);
        return new KeyslotSettings(partitions, configuration, more, seed);
    }

    /** Returns the same with another seed. */
    public KeyslotSettings withSeed(long number) {
        return new KeyslotSettings(partitions, configuration, properties, number);
    }
}
