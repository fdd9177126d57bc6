// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.MovePace;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The speed of moves. */
public final class PaceOptions {
    @Option(
            names = "--rate",
            paramLabel = "<rate>",
            converter = RateConverter.class,
            description =
                    "The most that each move copies in a second, such as 20MiB/s, or max for the fastest, at the expense"
                            + " of applications. Default: limited only by --share.")
    private @Nullable Long rate;

    @Option(
            names = "--share",
            paramLabel = "<percent>",
            converter = ShareConverter.class,
            description =
                    "The percentage of time in which each move copies and removes; during the rest, applications have the"
                            + " instances to themselves. 15 by default, 100 with --rate max.")
    private @Nullable Integer share;

    static final class ShareConverter implements ITypeConverter<Integer> {
        private static final Pattern TEXT = Pattern.compile("[1-9]\\d?|100");

        @Override
        public Integer convert(String text) {
            if (!TEXT.matcher(text).matches()) {
                throw new TypeConversionException("'%s' is no share: write a number from 1 to 100".formatted(text));
            }
            return Integer.valueOf(text);
        }
    }

    /** Parses {@code 20MiB/s} and {@code max}. */
    static final class RateConverter implements ITypeConverter<Long> {
        private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(B|KiB|MiB|GiB)(/s)?");
        private static final Map<String, Integer> SHIFTS = Map.of("B", 0, "KiB", 10, "MiB", 20, "GiB", 30);

        @Override
        public Long convert(String text) {
            if (text.equals("max")) {
                return MovePace.FULL.bytesPerSecond();
            }
            Matcher parts = TEXT.matcher(text);
            long bytes = parts.matches() ? Long.parseLong(parts.group(1)) << SHIFTS.getOrDefault(parts.group(2), 0) : 0;
            if (bytes < 1 || bytes > 1L << 50) {
                throw new TypeConversionException(
                        "'%s' is no rate: write 20MiB/s, with B, KiB, MiB or GiB, or max".formatted(text));
            }
            return bytes;
        }
    }

    public MovePace changed(MovePace pace) {
        MovePace changed = pace;
        if (rate != null) {
            changed = changed.withRate(rate);
            changed = rate == MovePace.FULL.bytesPerSecond() ? changed.withShare(MovePace.WHOLE) : changed;
        }
        return share == null ? changed : changed.withShare(share);
    }
}
