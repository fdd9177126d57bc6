// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.codec.allow.CodecNames;
import io.keyslot.client.partition.Adoption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The type of a setting's value: a rule such as {@code must be true or false}, and a parser that returns the value, or
 * empty if the text breaks the rule.
 */
public record ValueType<T>(String rule, Function<String, Optional<T>> parser) {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final String IDENTIFIER = "[\\p{L}_$][\\p{L}\\p{N}_$]*";
    private static final String CLASS_NAME = IDENTIFIER + "(\\." + IDENTIFIER + ")*";
    private static final String CLASS_NAME_WITH_PACKAGE = IDENTIFIER + "(\\." + IDENTIFIER + ")+";

    public static final ValueType<Boolean> FLAG = new ValueType<>(
            "must be true or false",
            text -> text.equals("true") || text.equals("false") ? Optional.of(text.equals("true")) : Optional.empty());

    public static final ValueType<Adoption> ADOPTION =
            new ValueType<>("must be true, false or always", text -> switch (text) {
                case "true" -> Optional.of(Adoption.UNUSED);
                case "false" -> Optional.of(Adoption.NEVER);
                case "always" -> Optional.of(Adoption.ALWAYS);
                default -> Optional.empty();
            });

    public static final ValueType<String> NAME = matching("must not be empty", "(?s).+");

    public static final ValueType<String> CLASS = matching("must be the full name of a class", CLASS_NAME);

    public static final ValueType<String> CODEC = matching(
            "must be one of %s, or the full name of a class".formatted(String.join(", ", CodecNames.all())),
            String.join("|", CodecNames.all()) + "|" + CLASS_NAME_WITH_PACKAGE);

    public static final ValueType<String> CLASS_PATTERN = matching(
            "must be a class such as com.acme.Sale, or a package such as com.acme.* or com.acme.**",
            CLASS_NAME + "(\\.\\*\\*?)?");

    public static final ValueType<String> HOST_PATTERN =
            matching("must be a host such as cache1.internal, *.internal or 10.0.0.*", "[A-Za-z0-9*._:-]{1,255}");

    public static final ValueType<String> NAMESPACE =
            matching("must be at most 64 letters from a to z, digits, '.', '-' or '_'", "[A-Za-z0-9._-]{0,64}");

    public static final ValueType<String> ZONE =
            matching("must be at most 64 letters from a to z, digits, '.', '-' or '_'", "[A-Za-z0-9._-]{0,64}");

    public Optional<T> parse(String text) {
        return parser.apply(text);
    }

    public static ValueType<Integer> number(int least, int most) {
        return new ValueType<>(
                "must be a number from %d to %d".formatted(least, most),
                text -> Optional.of(text)
                        .filter(digits -> NUMBER.matcher(digits).matches())
                        .map(Integer::valueOf)
                        .filter(number -> number >= least && number <= most));
    }

    public static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type) {
        E[] constants = type.getEnumConstants();
        String names = Arrays.stream(constants).map(ValueType::nameOf).collect(Collectors.joining(", "));
        return new ValueType<>(
                "must be one of " + names,
                text -> Arrays.stream(constants)
                        .filter(constant -> nameOf(constant).equals(text))
                        .findFirst());
    }

    private static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static ValueType<String> matching(String rule, String regex) {
        Pattern pattern = Pattern.compile(regex);
        return new ValueType<>(
                rule, text -> Optional.of(text).filter(it -> pattern.matcher(it).matches()));
    }
}
