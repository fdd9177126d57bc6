// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and formats durations: a whole number and one of {@code ms}, {@code s}, {@code m}, {@code h}, {@code d}. */
public final class Durations {
    // Nine digits of days do not overflow a long of milliseconds.
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

    /** Any duration of at least a millisecond. */
    public static final ValueType<Duration> POSITIVE = new ValueType<>(
            "must be a duration such as 10m, 1h or 250ms", text -> parse(text).filter(length -> !length.isZero()));

    private Durations() {}

    public static ValueType<Duration> between(Duration least, Duration most) {
        return new ValueType<>(
                "must be a duration from %s to %s, such as 250ms".formatted(format(least), format(most)),
                text -> parse(text).filter(length -> length.compareTo(least) >= 0 && length.compareTo(most) <= 0));
    }

    /** Returns the type of durations in a range; {@code off} is zero. */
    public static ValueType<Duration> orOff(Duration least, Duration most) {
        ValueType<Duration> given = between(least, most);
        return new ValueType<>(
                given.rule() + ", or off", text -> text.equals("off") ? Optional.of(Duration.ZERO) : given.parse(text));
    }

    private static Optional<Duration> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(Duration.of(
                        Long.parseLong(matcher.group(1)), UNITS.getOrDefault(matcher.group(2), ChronoUnit.DAYS)))
                : Optional.empty();
    }

    public static String format(Duration length) {
        long millis = length.toMillis();
        if (millis % 1000 != 0 || millis == 0) {
            return millis + "ms";
        }
        if (length.toSeconds() % 60 != 0) {
            return length.toSeconds() + "s";
        }
        if (length.toMinutes() % 60 != 0) {
            return length.toMinutes() + "m";
        }
        return length.toHours() % 24 == 0 ? length.toDays() + "d" : length.toHours() + "h";
    }
}
