// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicLong;

/** A progress display: a line that is redrawn on an interactive terminal, or a line for each tenth. Thread-safe. */
public final class ProgressBar implements AutoCloseable {
    private static final int PERCENT = 100;
    private static final int PERCENT_BETWEEN_LINES = 10;
    private static final int LABEL_WIDTH = 20;
    private static final int BAR_WIDTH = 24;
    private static final String GREEN = "\u001b[32m";
    private static final String PLAIN = "\u001b[0m";

    private final Terminal terminal;
    private final long total;
    private final AtomicLong done = new AtomicLong();
    private final Object drawing = new Object();

    private String label; // guarded by drawing
    private int shown; // guarded by drawing
    private boolean lineOpen; // guarded by drawing

    /** Creates a bar and draws it empty. The label has at most 20 characters, and the total is at least 1. */
    public ProgressBar(Terminal terminal, String label, long total) {
        this.terminal = terminal;
        this.label = label;
        this.total = total;
        draw(0, true);
    }

    public void advance(long more) {
        int percent = percentOf(done.addAndGet(more));
        synchronized (drawing) {
            if (percent > shown) {
                draw(percent, percent / PERCENT_BETWEEN_LINES > shown / PERCENT_BETWEEN_LINES);
            }
        }
    }

    public void label(String next) {
        synchronized (drawing) {
            label = next;
            if (terminal.interactive()) {
                draw(shown, true);
            }
        }
    }

    private int percentOf(long part) {
        return (int) Math.min(PERCENT, PERCENT * part / total);
    }

    private void draw(int percent, boolean mark) {
        synchronized (drawing) {
            shown = percent;
            PrintWriter err = terminal.err();
            if (terminal.interactive()) {
                err.print("\r" + line(percent));
                lineOpen = true;
                err.flush();
            } else if (mark) {
                err.println(line(percent));
                err.flush();
            }
        }
    }

    private String line(int percent) {
        int filled = BAR_WIDTH * percent / PERCENT;
        String bar = "#".repeat(filled);
        String colored = terminal.colored() ? GREEN + bar + PLAIN : bar;
        String blanks = " ".repeat(Math.max(0, LABEL_WIDTH - label.length()));
        String counts = Amounts.count(Math.min(done.get(), total)) + " of " + Amounts.count(total);
        return label + blanks + " [" + colored + ".".repeat(BAR_WIDTH - filled) + "] "
                + " ".repeat(3 - Integer.toString(percent).length()) + percent + " %  " + counts;
    }

    @Override
    public void close() {
        synchronized (drawing) {
            if (lineOpen) {
                lineOpen = false;
                terminal.err().println();
                terminal.err().flush();
            }
        }
    }
}
