// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.codec.Codecs;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.stored.Encryption;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The type of a setting's value: its name in the document, a rule such as {@code must be true or false}, and a parser
 * that returns the value, or empty if the text breaks the rule.
 */
public record ValueType<T>(String name, String rule, Function<String, Optional<T>> parser) {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    // Nine digits of days do not overflow a long of milliseconds.
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Map<String, ChronoUnit> DURATION_UNITS = Map.of(
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(KiB|MiB|GiB)?");
    private static final Map<String, Long> SIZE_UNITS = Map.of("KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final String IDENTIFIER = "[\\p{L}_$][\\p{L}\\p{N}_$]*";
    private static final String CLASS_NAME = IDENTIFIER + "(\\." + IDENTIFIER + ")*";
    private static final String CLASS_NAME_WITH_PACKAGE = IDENTIFIER + "(\\." + IDENTIFIER + ")+";

    static final ValueType<Boolean> FLAG = new ValueType<>(
            "true, false",
            "must be true or false",
            text -> text.equals("true") || text.equals("false") ? Optional.of(text.equals("true")) : Optional.empty());

    static final ValueType<String> NAME = matching("text", "must not be empty", "(?s).+");

    static final ValueType<String> LABEL =
            matching("text", "must be at most 64 letters from a to z, digits, '.', '-' or '_'", "[A-Za-z0-9._-]{0,64}");

    static final ValueType<String> HOST =
            matching("text", "must be the name of a host", "[A-Za-z0-9-]{1,63}(\\.[A-Za-z0-9-]{1,63})*");

    static final ValueType<String> HOST_PATTERN = matching(
            "list", "must be a host such as cache1.internal, *.internal or 10.0.0.*", "[A-Za-z0-9*._:-]{1,255}");

    static final ValueType<String> CLASS = matching("class name", "must be the full name of a class", CLASS_NAME);

    static final ValueType<String> CLASS_PATTERN = matching(
            "list",
            "must be a class such as com.acme.Sale, or a package such as com.acme.* or com.acme.**",
            CLASS_NAME + "(\\.\\*\\*?)?");

    static final ValueType<String> CODEC = matching(
            "codec name, class name",
            "must be one of %s, or the full name of a class".formatted(String.join(", ", Codecs.names())),
            String.join("|", Codecs.names()) + "|" + CLASS_NAME_WITH_PACKAGE);

    static final ValueType<Path> FILE = new ValueType<>("file", "must be the name of a file", ValueType::path);

    static final ValueType<Adoption> ADOPTION =
            new ValueType<>("true, false, always", "must be true, false or always", text -> switch (text) {
                case "true" -> Optional.of(Adoption.UNUSED);
                case "false" -> Optional.of(Adoption.NEVER);
                case "always" -> Optional.of(Adoption.ALWAYS);
                default -> Optional.empty();
            });

    /** A secret, which no message quotes. */
    static final ValueType<byte[]> SECRET = new ValueType<>(
            "text", "must be the base64 of 32 bytes, as openssl rand -base64 32 prints it", ValueType::parseSecret);

    // An empty value is refused: what a crash loses must not depend on a line that was commented out.
    static final ValueType<Boolean> FLAG_OR_MAPPING =
            new ValueType<>("true, false, mapping", "must be true, false or a mapping", FLAG.parser());

    /** Any duration of at least a millisecond. */
    public static final ValueType<Duration> DURATION_ABOVE_ZERO = new ValueType<>(
            "duration",
            "must be a duration such as 10m, 1h or 250ms",
            text -> parseDuration(text).filter(length -> !length.isZero()));

    public Optional<T> parse(String text) {
        return parser.apply(text);
    }

    /** Returns this type with another name in the document. */
    ValueType<T> named(String other) {
        return new ValueType<>(other, rule, parser);
    }

    static ValueType<Integer> number(int least, int most) {
        return new ValueType<>(
                "number",
                "must be a number from %d to %d".formatted(least, most),
                text -> Optional.of(text)
                        .filter(digits -> NUMBER.matcher(digits).matches())
                        .map(Integer::valueOf)
                        .filter(number -> number >= least && number <= most));
    }

    /** Returns the type of durations: a whole number and one of {@code ms}, {@code s}, {@code m}, {@code h}, {@code d}. */
    static ValueType<Duration> duration(Duration least, Duration most) {
        return new ValueType<>(
                "duration",
                "must be a duration from %s to %s, such as 250ms".formatted(format(least), format(most)),
                text -> parseDuration(text)
                        .filter(length -> length.compareTo(least) >= 0 && length.compareTo(most) <= 0));
    }

    /** Returns the type of durations in a range; {@code off} is zero. */
    static ValueType<Duration> durationOrOff(Duration least, Duration most) {
        ValueType<Duration> given = duration(least, most);
        return new ValueType<>(
                "duration, off",
                given.rule() + ", or off",
                text -> text.equals("off") ? Optional.of(Duration.ZERO) : given.parse(text));
    }

    private static Optional<byte[]> parseSecret(String text) {
        try {
            return Optional.of(Base64.getDecoder().decode(text)).filter(key -> key.length == Encryption.SECRET_BYTES);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns a text of the configuration, as a message may show it. */
    String shown(String raw) {
        return rule.equals(SECRET.rule) ? "a secret that is not shown" : Problems.quoted(raw);
    }

    private static Optional<Duration> parseDuration(String text) {
        Matcher matcher = DURATION.matcher(text);
        return matcher.matches()
                ? Optional.of(Duration.of(
                        Long.parseLong(matcher.group(1)),
                        DURATION_UNITS.getOrDefault(matcher.group(2), ChronoUnit.DAYS)))
                : Optional.empty();
    }

    static String format(Duration length) {
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

    /** Returns the type of numbers of bytes: a whole number, alone or with {@code KiB}, {@code MiB} or {@code GiB}. */
    static ValueType<Long> size(long least, long most) {
        return new ValueType<>(
                "size",
                "must be a size from %s to %s, such as 64KiB or 8MiB".formatted(format(least), format(most)),
                text -> parseSize(text).filter(size -> size >= least && size <= most));
    }

    // 12 digits of GiB overflow a long, 12 digits of bytes do not; so the product is checked by division.
    private static Optional<Long> parseSize(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        long unit = matcher.group(2) == null ? 1 : SIZE_UNITS.getOrDefault(matcher.group(2), 1L);
        return number > Long.MAX_VALUE / unit ? Optional.empty() : Optional.of(number * unit);
    }

    static String format(long bytes) {
        for (String unit : new String[] {"GiB", "MiB", "KiB"}) {
            long size = SIZE_UNITS.getOrDefault(unit, 1L);
            if (bytes >= size && bytes % size == 0) {
                return bytes / size + unit;
            }
        }
        return Long.toString(bytes);
    }

    static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type) {
        E[] constants = type.getEnumConstants();
        String names = Arrays.stream(constants).map(ValueType::nameOf).collect(Collectors.joining(", "));
        return new ValueType<>(
                names,
                "must be one of " + names,
                text -> Arrays.stream(constants)
                        .filter(constant -> nameOf(constant).equals(text))
                        .findFirst());
    }

    private static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static ValueType<String> oneOf(String... words) {
        String names = String.join(", ", words);
        return new ValueType<>(
                names, "must be one of " + names, text -> Optional.of(text).filter(Set.of(words)::contains));
    }

    /** Returns the type of a setting that is a mapping or this one word. */
    static ValueType<Boolean> wordOrMapping(String word, String rule) {
        return new ValueType<>(
                word + ", mapping", rule, text -> text.equals(word) ? Optional.of(true) : Optional.empty());
    }

    private static ValueType<String> matching(String name, String rule, String regex) {
        Pattern pattern = Pattern.compile(regex);
        return new ValueType<>(
                name,
                rule,
                text -> Optional.of(text).filter(it -> pattern.matcher(it).matches()));
    }

    private static Optional<Path> path(String text) {
        try {
            return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
