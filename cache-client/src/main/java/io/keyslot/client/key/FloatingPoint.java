// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.Predicate;

/**
 * The shortest decimal text of a floating-point number: {@code 0.1}, {@code 99.0}, {@code 1E+23}.
 *
 * <p>Not that of {@code Double.toString}, which JDK 19 changed: one key would have two texts in a fleet of mixed versions.
 */
public final class FloatingPoint {
    /** Integers below this are written with their digits and {@code .0}. */
    private static final double LARGEST_PLAIN = 1e15;

    /** As many digits as tell every number from its neighbours. */
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

    /** Returns whether the number is an integer of moderate size, infinite or not a number. */
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
