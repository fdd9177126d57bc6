// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import io.keyslot.cluster.terminal.Amounts;
import java.util.Locale;
import java.util.OptionalDouble;

/** Formats figures, with a dash for a missing one. */
final class Figures {
    private static final String MISSING = "-";

    private Figures() {}

    static String whole(OptionalDouble figure) {
        return figure.isPresent() ? Amounts.count(Math.round(figure.getAsDouble())) : MISSING;
    }

    static String ratio(OptionalDouble figure) {
        return figure.isPresent() ? Amounts.ratio(figure.getAsDouble()) : MISSING;
    }

    static String micros(OptionalDouble figure) {
        if (figure.isEmpty()) {
            return MISSING;
        }
        double micros = figure.getAsDouble();
        int decimals = micros < 10 ? 2 : micros < 100 ? 1 : 0;
        return String.format(Locale.ROOT, "%,." + decimals + "f", micros);
    }
}
