// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import io.keyslot.cluster.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A comparison of contenders that took turns, as text for a terminal. A ratio is the median of the turns' ratios, each to the
 * turn of the reference just before or after: what else the machine did then befell both.
 */
public final class PairedTable {
    private PairedTable() {}

    /** Returns what is said once, above the tables. */
    public static String legend(String reference) {
        return "ratio: median of the ratios to the turn of %s beside it. cpu: microseconds per call."
                .formatted(reference);
    }

    /**
     * Returns a heading and a row for each contender, in their order.
     *
     * @param contenders one for each contender, with as many turns each
     */
    public static List<String> lines(String heading, List<Result> contenders, String reference) {
        Result base = contenders.stream()
                .filter(result -> result.contender().equals(reference))
                .findFirst()
                .orElseThrow();
        Table table = new Table("build", "ops/s", "ratio", "cpu client", "cpu server", "sum", "ratio", "B/op", "ratio");
        for (Result result : contenders) {
            table.row(
                    result.contender(),
                    Figures.whole(result.figure(Metric.THROUGHPUT)),
                    Figures.ratio(paired(result, base, turn -> turn.figure(Metric.THROUGHPUT))),
                    Figures.micros(result.figure(Metric.CLIENT_CPU)),
                    Figures.micros(result.figure(Metric.SERVER_CPU)),
                    Figures.micros(result.cpu()),
                    Figures.ratio(paired(result, base, Result::cpu)),
                    Figures.whole(result.figure(Metric.ALLOCATED)),
                    Figures.ratio(paired(result, base, turn -> turn.figure(Metric.ALLOCATED))));
        }
        List<String> lines = new ArrayList<>();
        lines.add("== " + heading);
        lines.addAll(table.lines());
        return lines;
    }

    private static OptionalDouble paired(Result own, Result base, Function<Result, OptionalDouble> figure) {
        double[] ratios = IntStream.range(
                        0, Math.min(own.rounds().size(), base.rounds().size()))
                .mapToDouble(turn -> figure.apply(own.round(turn)).orElse(Double.NaN)
                        / figure.apply(base.round(turn)).orElse(Double.NaN))
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return ratios.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Result.median(ratios));
    }
}
