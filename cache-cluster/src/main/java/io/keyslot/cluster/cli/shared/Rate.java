// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import io.keyslot.client.map.MovePace;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Bytes per second, at least 1. */
record Rate(long bytesPerSecond) {
    private static final Rate MOST = new Rate(MovePace.FULL.bytesPerSecond());

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(B|KiB|MiB|GiB)(/s)?");
    private static final Map<String, Integer> SHIFTS = Map.of("B", 0, "KiB", 10, "MiB", 20, "GiB", 30);

    boolean isMost() {
        return equals(MOST);
    }

    /** Parses {@code 20MiB/s} and {@code max}. */
    public static final class Converter implements ITypeConverter<Rate> {
        @Override
        public Rate convert(String text) {
            if (text.equals("max")) {
                return MOST;
            }
            Matcher parts = TEXT.matcher(text);
            long bytes = parts.matches() ? Long.parseLong(parts.group(1)) << SHIFTS.getOrDefault(parts.group(2), 0) : 0;
            if (bytes < 1 || bytes > 1L << 50) {
                throw new TypeConversionException(
                        "'%s' is no rate: write 20MiB/s, with B, KiB, MiB or GiB, or max".formatted(text));
            }
            return new Rate(bytes);
        }
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%dB/s", bytesPerSecond);
    }
}
