// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and formats numbers of bytes: a whole number, alone or with one of {@code KiB}, {@code MiB}, {@code GiB}. */
public final class Sizes {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,12})(KiB|MiB|GiB)?");
    private static final Map<String, Long> UNITS = Map.of("KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

    private Sizes() {}

    public static ValueType<Long> between(long least, long most) {
        return new ValueType<>(
                "must be a size from %s to %s, such as 64KiB or 8MiB".formatted(format(least), format(most)),
                text -> parse(text).filter(size -> size >= least && size <= most));
    }

    // 12 digits of GiB overflow a long, 12 digits of bytes do not; so the product is checked by division.
    private static Optional<Long> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        long unit = matcher.group(2) == null ? 1 : UNITS.getOrDefault(matcher.group(2), 1L);
        return number > Long.MAX_VALUE / unit ? Optional.empty() : Optional.of(number * unit);
    }

    public static String format(long bytes) {
        for (String unit : new String[] {"GiB", "MiB", "KiB"}) {
            long size = UNITS.getOrDefault(unit, 1L);
            if (bytes >= size && bytes % size == 0) {
                return bytes / size + unit;
            }
        }
        return Long.toString(bytes);
    }
}
