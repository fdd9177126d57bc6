// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.client.config.read.ConfigNode.Mapping;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads {@code writeBehind} of a cache. Has the bounds of {@link WriteBehindOptions}, to report them with a location.
 */
final class WriteBehindReader {
    private static final String WRITE_BEHIND = "writeBehind";

    // An empty value is refused: what a crash loses must not depend on a line that was commented out.
    private static final ValueType<Boolean> SWITCH =
            new ValueType<>("must be true, false or a mapping", ValueType.FLAG.parser());
    private static final ValueType<Duration> LENGTH = Durations.between(Duration.ZERO, Duration.ofHours(1));
    private static final ValueType<Integer> NUMBER = ValueType.number(1, 1_000_000);

    private WriteBehindReader() {}

    static Optional<WriteBehindOptions> read(Section cache, boolean writesThrough) {
        Optional<WriteBehindOptions> options = options(cache);
        if (options.isPresent() && !writesThrough) {
            cache.problem(WRITE_BEHIND, "needs a cache that writes through, and writeThrough is false");
        }
        return options;
    }

    private static Optional<WriteBehindOptions> options(Section cache) {
        WriteBehindOptions defaults = WriteBehindOptions.defaults();
        if (!(cache.node(WRITE_BEHIND).orElse(null) instanceof Mapping)) {
            return cache.read(WRITE_BEHIND, SWITCH).filter(on -> on).map(on -> defaults);
        }
        Section section = cache.section(WRITE_BEHIND);
        return Optional.of(new WriteBehindOptions(
                section.read("delay", LENGTH).orElse(defaults.delay()),
                section.read("queue", NUMBER).orElse(defaults.queue()),
                section.read("batch", NUMBER).orElse(defaults.batch()),
                section.read("attempts", NUMBER).orElse(defaults.attempts()),
                section.read("closeWait", LENGTH).orElse(defaults.closeWait())));
    }
}
