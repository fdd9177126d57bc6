// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearValues;
import io.keyslot.client.config.read.ConfigNode.Mapping;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code near} of a cache, or of all caches: a mapping that turns it on, or {@code false}, which overrides the
 * file or the setting of all caches. Has the bounds of {@link NearOptions}, to report problems with their location.
 */
final class NearReader {
    private static final String NEAR = "near";
    private static final String ENTRIES = "maximumEntries";
    private static final String SIZE = "maximumSize";
    private static final String WHEN_MISSING = "whenMissing";

    // There is no true: a near cache needs an explicit bound of its memory.
    private static final ValueType<Boolean> OFF =
            only("false", "must be false, or a mapping with maximumEntries or maximumSize");
    private static final ValueType<Boolean> DROP = only("drop", "must be drop, or a mapping such as serve: 30s");
    private static final ValueType<Integer> NUMBER = ValueType.number(1, 999_999_999);
    private static final ValueType<Long> BYTES = Sizes.between(1L << 10, 1L << 40);
    private static final ValueType<Duration> STALENESS =
            Durations.between(Duration.ofMillis(10), Duration.ofMinutes(1));
    private static final ValueType<Duration> SERVED = Durations.between(Duration.ofMillis(1), Duration.ofHours(24));

    private NearReader() {}

    private static ValueType<Boolean> only(String word, String rule) {
        return new ValueType<>(rule, text -> text.equals(word) ? Optional.of(true) : Optional.empty());
    }

    /** Returns the options of the cache, null without a near cache or without a bound. */
    static @Nullable NearOptions read(Section cache, @Nullable NearOptions ofAllCaches) {
        return cache.node(NEAR).isEmpty() ? ofAllCaches : read(cache).orElse(null);
    }

    static Optional<NearOptions> read(Section parent) {
        if (!(parent.node(NEAR).orElse(null) instanceof Mapping)) {
            parent.read(NEAR, OFF);
            return Optional.empty();
        }
        Section section = parent.section(NEAR);
        // Reads all settings before the bound is checked, to report all problems.
        Optional<NearOptions> bounded = bounded(parent, section);
        Optional<Duration> staleness = section.read("staleness", STALENESS);
        Optional<NearValues> values = section.read("values", ValueType.oneOf(NearValues.class));
        Optional<Duration> served = served(section);
        return bounded.map(options -> options.withStaleness(staleness.orElse(options.staleness()))
                .withValues(values.orElse(options.values()))
                .withWhenMissing(served.orElse(options.whenMissing())));
    }

    private static Optional<NearOptions> bounded(Section parent, Section section) {
        Optional<NearOptions> byEntries = section.read(ENTRIES, NUMBER).map(NearOptions::ofEntries);
        Optional<NearOptions> bySize = section.read(SIZE, BYTES).map(NearOptions::ofSize);
        boolean hasEntries = section.node(ENTRIES).isPresent();
        boolean hasSize = section.node(SIZE).isPresent();
        if (!hasEntries && !hasSize) {
            parent.problem(NEAR, "needs maximumEntries or maximumSize");
        } else if (hasEntries && hasSize) {
            section.problem(SIZE, "is given, but maximumEntries is given too: leave one of them away");
        }
        return byEntries.or(() -> bySize);
    }

    private static Optional<Duration> served(Section section) {
        if (!(section.node(WHEN_MISSING).orElse(null) instanceof Mapping)) {
            section.read(WHEN_MISSING, DROP);
            return Optional.empty();
        }
        Section missing = section.section(WHEN_MISSING);
        if (missing.isEmpty()) {
            section.problem(WHEN_MISSING, "is empty, must be drop, or a mapping such as serve: 30s");
        }
        return missing.read("serve", SERVED);
    }
}
