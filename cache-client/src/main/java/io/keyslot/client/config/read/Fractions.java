// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads fractions: a number such as {@code 0.1}, or a percentage such as {@code 10%}. */
final class Fractions {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,9})?)(%)?");

    private Fractions() {}

    public static ValueType<Double> upTo(double most) {
        return new ValueType<>(
                "must be a fraction from 0 to %s, such as 0.1 or 10%%".formatted(most),
                text -> parse(text).filter(part -> part <= most));
    }

    private static Optional<Double> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        return Optional.of((matcher.group(2) == null ? number : number.movePointLeft(2)).doubleValue());
    }
}
