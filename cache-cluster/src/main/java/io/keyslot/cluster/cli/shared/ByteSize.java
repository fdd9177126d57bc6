// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * So many bytes.
 *
 * @param bytes not negative
 */
public record ByteSize(long bytes) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,15})(B|KiB|MiB|GiB)?");
    private static final Map<String, Integer> SHIFTS = Map.of("B", 0, "KiB", 10, "MiB", 20, "GiB", 30);

    /** Reads {@code 10MiB}, and {@code 4096}. */
    public static final class Converter implements ITypeConverter<ByteSize> {
        @Override
        public ByteSize convert(String text) {
            Matcher parts = TEXT.matcher(text);
            int shift = parts.matches() && parts.group(2) != null ? SHIFTS.getOrDefault(parts.group(2), 0) : 0;
            if (!parts.matches() || Long.parseLong(parts.group(1)) > 1L << (50 - shift)) {
                throw new TypeConversionException(
                        "'%s' is no size: write 10MiB, with B, KiB, MiB or GiB, or bytes".formatted(text));
            }
            return new ByteSize(Long.parseLong(parts.group(1)) << shift);
        }
    }
}
