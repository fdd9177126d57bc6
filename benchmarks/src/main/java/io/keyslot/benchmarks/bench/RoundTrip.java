// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What a network adds to the time from a command to its answer. Immutable.
 *
 * @param length zero for the loopback interface as it is
 */
record RoundTrip(Duration length) {
    /** As if there were no network. */
    static final RoundTrip NONE = new RoundTrip(Duration.ZERO);

    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})(us|ms)");
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final long NANOS_OF_A_MICRO = 1_000;

    /** Returns whether it adds nothing. */
    boolean isNone() {
        return length.isZero();
    }

    @Override
    public String toString() {
        return length.toNanos() / NANOS_OF_A_MICRO + " \u00b5s";
    }

    /** Reads {@code 500us} or {@code 2ms}. */
    static final class Converter implements ITypeConverter<RoundTrip> {
        @Override
        public RoundTrip convert(String text) {
            Matcher matcher = FORM.matcher(text);
            if (matcher.matches()) {
                ChronoUnit unit = matcher.group(2).equals("us") ? ChronoUnit.MICROS : ChronoUnit.MILLIS;
                Duration length = Duration.of(Long.parseLong(matcher.group(1)), unit);
                if (!length.isZero() && length.compareTo(LONGEST) <= 0) {
                    return new RoundTrip(length);
                }
            }
            throw new TypeConversionException("'%s' must be from 1us to 1000ms, such as 500us".formatted(text));
        }
    }
}
