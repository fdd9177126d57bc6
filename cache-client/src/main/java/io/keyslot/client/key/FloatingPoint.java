// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The shortest decimal text of a floating-point number: {@code 0.1}, {@code 99.0}, {@code 1E+23}.
 *
 * <p>Not that of {@code Double.toString}, which JDK 19 changed: one key would have two texts in a fleet of mixed versions.
 */
final class FloatingPoint {
    /** Integers below this are written with their digits and {@code .0}. */
    private static final double LARGEST_PLAIN = 1e15;

    private static final int DIGITS_OF_EVERY_FLOAT = 9;
    private static final int DIGITS_OF_EVERY_DOUBLE = 17;

    private FloatingPoint() {}

    static String text(Double value) {
        if (isPlain(value)) {
            return plain(value);
        }
        BigDecimal exact = new BigDecimal(value);
        for (int digits = 1; digits < DIGITS_OF_EVERY_DOUBLE; digits++) {
            String rounded = exact.round(new MathContext(digits)).toString();
            if (Double.parseDouble(rounded) == value) {
                return rounded;
            }
        }
        return exact.round(new MathContext(DIGITS_OF_EVERY_DOUBLE)).toString();
    }

    static String text(Float value) {
        if (isPlain(value)) {
            return plain(value);
        }
        BigDecimal exact = new BigDecimal(value);
        for (int digits = 1; digits < DIGITS_OF_EVERY_FLOAT; digits++) {
            String rounded = exact.round(new MathContext(digits)).toString();
            if (Float.parseFloat(rounded) == value) {
                return rounded;
            }
        }
        return exact.round(new MathContext(DIGITS_OF_EVERY_FLOAT)).toString();
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
