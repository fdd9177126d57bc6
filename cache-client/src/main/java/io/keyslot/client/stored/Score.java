// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/** Converts the score of a sorted set's element to text and back. */
final class Score {
    /** Whole numbers below this are written without a fraction. */
    private static final double LARGEST_WHOLE = 1e17;

    private Score() {}

    /** Returns a score as a number, {@code inf} or {@code -inf}; throws {@link IllegalArgumentException} for NaN. */
    public static Element text(double score) {
        if (Double.isNaN(score)) {
            throw new IllegalArgumentException("A score is NaN; it must be a number or an infinity");
        }
        if (Double.isInfinite(score)) {
            return Element.of(score > 0 ? "inf" : "-inf");
        }
        return Math.abs(score) < LARGEST_WHOLE && score == Math.rint(score)
                ? Element.of((long) score)
                : Element.of(Double.toString(score));
    }

    /** Parses a score, written here or by a server; never returns -0. Throws {@link IllegalArgumentException}. */
    public static double of(Element text) {
        double score = switch (text.text()) {
            case "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> number(text.text());
        };
        // Double.compare distinguishes -0 from 0, a server does not.
        return score + 0.0;
    }

    private static double number(String text) {
        try {
            double score = Double.parseDouble(text);
            if (!Double.isNaN(score)) {
                return score;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("A score is not a number", e);
        }
        throw new IllegalArgumentException("A score is not a number");
    }
}
