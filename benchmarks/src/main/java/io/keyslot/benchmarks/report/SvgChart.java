// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A run as one SVG image that needs nothing else: a panel for each workload, a bar for each contender, as long as its
 * calls per second are relative to the reference's.
 *
 * <p>A local cache is hundreds of times as fast as one behind a network. A bar that would be too long is cut, and ends in
 * a point; its number is beside it.
 */
public final class SvgChart {
    private static final int WIDTH = 1_000;
    private static final int MARGIN = 20;
    private static final int LINE = 18;
    private static final int BAR = 12;
    private static final int BARS_FROM = 200;
    private static final int BARS_WIDE = 440;
    private static final int POINT = 8;
    private static final int NUMBERS_FROM = BARS_FROM + BARS_WIDE + POINT + 10;
    private static final int TEXT_DROP = 10;

    /** The ratio at which a bar is cut. */
    private static final double LONGEST = 2.5;

    private static final String OURS = "keyslot";
    private static final String STYLE = """
            <style>
            text { font: 12px sans-serif; fill: #222 }
            .title { font-weight: bold; font-size: 14px }
            .small { font-size: 11px; fill: #666 }
            .peer { fill: #9aa5b1 }
            .ours { fill: #1f6feb }
            .reference { fill: #57606a }
            .one { stroke: #57606a; stroke-dasharray: 3 3 }
            </style>
            """;

    private final StringBuilder out = new StringBuilder();
    private int top = MARGIN;

    private SvgChart() {}

    /** Returns the image. */
    public static String of(RunFacts facts, List<Comparison> comparisons) {
        SvgChart chart = new SvgChart();
        chart.text(MARGIN, "title", "Calls per second relative to " + Comparison.REFERENCE);
        chart.text(MARGIN, "small", facts.line());
        comparisons.forEach(chart::panel);
        int height = chart.top + MARGIN;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
                        .formatted(WIDTH, height, WIDTH, height)
                + STYLE
                + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
                + chart.out
                + "</svg>\n";
    }

    private void panel(Comparison comparison) {
        top += LINE / 2;
        text(MARGIN, "title", comparison.workload().title());
        int first = top;
        comparison.results().forEach(result -> row(comparison, result));
        int one = BARS_FROM + (int) (BARS_WIDE / LONGEST);
        out.append("<line class=\"one\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n".formatted(one, first, one, top));
    }

    private void row(Comparison comparison, Result result) {
        OptionalDouble ratio = comparison.ratio(result, Metric.THROUGHPUT);
        bar(styleOf(result.contender()), ratio.orElse(0));
        String numbers = "%s   %s ops/s, p99 %s µs, CPU %s µs"
                .formatted(
                        Figures.ratio(ratio),
                        Figures.whole(result.figure(Metric.THROUGHPUT)),
                        Figures.micros(result.figure(Metric.P99)),
                        Figures.micros(result.cpu()));
        place(NUMBERS_FROM, "", numbers);
        text(MARGIN, "", result.contender());
    }

    private void bar(String style, double ratio) {
        double length = BARS_WIDE * Math.min(ratio, LONGEST) / LONGEST;
        int end = BARS_FROM + (int) Math.round(length);
        int tip = ratio > LONGEST ? end + POINT : end;
        out.append("<path class=\"%s\" d=\"M%d %d H%d L%d %d L%d %d H%d Z\"/>\n"
                .formatted(style, BARS_FROM, top, end, tip, top + BAR / 2, end, top + BAR, BARS_FROM));
    }

    private static String styleOf(String contender) {
        if (contender.equals(Comparison.REFERENCE)) {
            return "reference";
        }
        return contender.toLowerCase(Locale.ROOT).startsWith(OURS) ? "ours" : "peer";
    }

    /** Writes a text and goes on below it. */
    private void text(int left, String style, String text) {
        place(left, style, text);
        top += LINE;
    }

    private void place(int left, String style, String text) {
        out.append("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n"
                .formatted(style, left, top + TEXT_DROP, escaped(text)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
