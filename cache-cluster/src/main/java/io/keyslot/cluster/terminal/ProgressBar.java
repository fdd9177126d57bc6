// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

/** A progress display: a line for each tenth. Thread-safe. */
public final class ProgressBar {
    private static final int PERCENT = 100;
    private static final int PERCENT_BETWEEN_LINES = 10;

    private final Terminal terminal;
    private final long total;

    private String label; // guarded by this
    private long done; // guarded by this
    private int shown = -1; // guarded by this

    /** Creates a display and prints its first line. The label has at most 20 characters, and the total is at least 1. */
    public ProgressBar(Terminal terminal, String label, long total) {
        this.terminal = terminal;
        this.label = label;
        this.total = total;
        advance(0);
    }

    public synchronized void advance(long more) {
        done += more;
        int percent = (int) Math.min(PERCENT, PERCENT * done / total);
        int tenths = percent / PERCENT_BETWEEN_LINES;
        if (tenths > shown) {
            shown = tenths;
            terminal.err()
                    .println("%-20s %3d %%  %s of %s"
                            .formatted(label, percent, Amounts.count(Math.min(done, total)), Amounts.count(total)));
            terminal.err().flush();
        }
    }

    /** Sets the label of later lines. */
    public synchronized void label(String next) {
        label = next;
    }
}
