// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.Predicate;

/**
 * Formats floating-point numbers with the fewest digits, such as {@code 0.1} and {@code 1E+23}. Not with
 * {@code Double.toString}, which JDK 19 changed: one key would have two texts in a cluster of mixed versions.
 */
public final class FloatingPoint {
    private static final double LARGEST_PLAIN = 1e15;

    /** Enough digits to distinguish all numbers. */
    private static final MathContext ENOUGH_FOR_FLOAT = new MathContext(9);

    private static final MathContext ENOUGH_FOR_DOUBLE = new MathContext(17);

    private FloatingPoint() {}

    public static String text(Double value) {
        return isPlain(value)
                ? plain(value)
                : shortest(
                        new BigDecimal(value).round(ENOUGH_FOR_DOUBLE),
                        text -> Double.valueOf(text).equals(value));
    }

    public static String text(Float value) {
        return isPlain(value)
                ? plain(value)
                : shortest(
                        new BigDecimal(value).round(ENOUGH_FOR_FLOAT),
                        text -> Float.valueOf(text).equals(value));
    }

    private static String shortest(BigDecimal digits, Predicate<String> isSameNumber) {
        for (int precision = 1; precision < digits.precision(); precision++) {
            String rounded = digits.round(new MathContext(precision)).toString();
            if (isSameNumber.test(rounded)) {
                return rounded;
            }
        }
        return digits.toString();
    }

    private static boolean isPlain(double value) {
        return !Double.isFinite(value) || (value == Math.rint(value) && Math.abs(value) < LARGEST_PLAIN);
    }

    private static String plain(double value) {
        if (!Double.isFinite(value)) {
            return Double.toString(value);
        }
        boolean isNegativeZero = Double.doubleToRawLongBits(value) == Double.doubleToRawLongBits(-0.0);
        return isNegativeZero ? "-0.0" : (long) value + ".0";
    }
}
