// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import io.keyslot.client.stored.AggregateModel.ImpossibleOperationException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Adds numbers that are stored as text, by the rules of a server. */
final class Numbers {
    /** The number of decimal places that a server keeps. */
    private static final int DECIMALS = 17;

    /** The longest text that a server accepts as a number. */
    private static final int LONGEST = 5 * 1024;

    private static final String NOT_WHOLE = "the value is not a whole number of 64 bits";
    private static final String NOT_A_NUMBER = "the value is not a number";

    private Numbers() {}

    static long sum(Element present, Element delta) {
        try {
            return Math.addExact(whole(present), whole(delta));
        } catch (ArithmeticException e) {
            throw new ImpossibleOperationException("the sum is not a whole number of 64 bits");
        }
    }

    private static long whole(Element element) {
        String text = element.text();
        try {
            long number = Long.parseLong(text);
            // A server accepts one text for each number: not 05, +5 or -0.
            if (Long.toString(number).equals(text)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new ImpossibleOperationException(NOT_WHOLE);
        }
        throw new ImpossibleOperationException(NOT_WHOLE);
    }

    /** Adds decimal numbers; returns the sum as text without an exponent. */
    static Element decimalSum(Element present, Element delta) {
        BigDecimal sum = decimal(present).add(decimal(delta));
        if (Double.isInfinite(sum.doubleValue())) {
            throw new ImpossibleOperationException("the sum is not finite");
        }
        BigDecimal rounded = sum.setScale(DECIMALS, RoundingMode.HALF_EVEN);
        return Element.of(
                rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString());
    }

    private static BigDecimal decimal(Element element) {
        try {
            BigDecimal number = element.length() > LONGEST ? null : new BigDecimal(element.text());
            if (number != null && !Double.isInfinite(number.doubleValue())) {
                // Arithmetic with 1e-1000000000 would take gigabytes; it counts as zero.
                return number.doubleValue() == 0 ? BigDecimal.ZERO : number;
            }
        } catch (NumberFormatException e) {
            throw new ImpossibleOperationException(NOT_A_NUMBER);
        }
        throw new ImpossibleOperationException(NOT_A_NUMBER);
    }
}
