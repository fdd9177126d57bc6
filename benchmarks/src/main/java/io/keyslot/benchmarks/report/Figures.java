// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import io.keyslot.cluster.terminal.Amounts;
import java.util.Locale;
import java.util.OptionalDouble;

/** How figures are written; a dash stands for what was not measured. */
final class Figures {
    private static final String MISSING = "-";

    private Figures() {}

    static String whole(OptionalDouble figure) {
        return figure.isPresent() ? Amounts.count(Math.round(figure.getAsDouble())) : MISSING;
    }

    static String ratio(OptionalDouble figure) {
        return figure.isPresent() ? Amounts.ratio(figure.getAsDouble()) : MISSING;
    }

    /** Writes three digits or more: 0.07, 17.6, 1,038. */
    static String micros(OptionalDouble figure) {
        if (figure.isEmpty()) {
            return MISSING;
        }
        double micros = figure.getAsDouble();
        int decimals = micros < 10 ? 2 : micros < 100 ? 1 : 0;
        return String.format(Locale.ROOT, "%,." + decimals + "f", micros);
    }
}
