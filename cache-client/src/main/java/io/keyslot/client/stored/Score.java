// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/** The number by which an element of a sorted set has its place, and its text. */
final class Score {
    /** Whole numbers below this are written as such. */
    private static final double LARGEST_WHOLE = 1e17;

    private Score() {}

    /**
     * Returns the text of a score: a number or {@code inf} or {@code -inf}.
     *
     * @throws IllegalArgumentException if it is not a number
     */
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

    /**
     * Returns the score with this text, as it was written here or by a server. It is never -0.
     *
     * @throws IllegalArgumentException if the text is not one
     */
    public static double of(Element text) {
        double score = switch (text.text()) {
            case "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> number(text.text());
        };
        // -0 is another number for Double.compare, and none for a server.
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
