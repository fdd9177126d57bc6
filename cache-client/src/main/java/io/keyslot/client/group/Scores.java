// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.stored.Element;

/** Converts floating-point arguments and results of operations. */
final class Scores {
    private Scores() {}

    static Element of(Aggregate aggregate, double score) {
        if (Double.isNaN(score)) {
            throw new IllegalArgumentException(
                    "%s: a score is NaN, must be a number or infinite".formatted(aggregate.title()));
        }
        if (Double.isInfinite(score)) {
            return Element.of(score > 0 ? "inf" : "-inf");
        }
        return Element.of(Double.toString(score + 0.0)); // 0, not -0
    }

    static Element finite(Aggregate aggregate, double delta) {
        if (!Double.isFinite(delta)) {
            throw new ArithmeticException("%s: nothing was added: the sum with what is not finite is not finite"
                    .formatted(aggregate.title()));
        }
        return Element.of(Double.toString(delta));
    }

    static void checkRange(Aggregate aggregate, double from, double to) {
        if (from > to) {
            throw new IllegalArgumentException(
                    "%s: a range of scores ends before it begins".formatted(aggregate.title()));
        }
    }

    static double parse(Element score) {
        return switch (score.text()) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(score.text());
        };
    }
}
