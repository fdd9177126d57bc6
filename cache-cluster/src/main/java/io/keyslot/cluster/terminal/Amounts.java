// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.terminal;

import java.time.Duration;
import java.util.Locale;

/** Formats numbers with commas between thousands and a decimal point, in every locale. */
public final class Amounts {
    private static final double BYTES_PER_MEBIBYTE = 1024.0 * 1024.0;
    private static final double NANOS_PER_MILLI = 1_000_000.0;

    private Amounts() {}

    /** Returns {@code 251,395}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns a number with two decimals: {@code 1.05}. */
    public static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%,.2f", ratio);
    }

    /** Returns a part of one as percent: {@code 96.5 %}. */
    public static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * part);
    }

    public static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%,.1f MiB", bytes / BYTES_PER_MEBIBYTE);
    }

    /** Returns milliseconds with three decimals and without a unit: {@code 0.012}. */
    public static String millis(long nanos) {
        return String.format(Locale.ROOT, "%,.3f", nanos / NANOS_PER_MILLI);
    }

    /** Returns milliseconds up to a second, and seconds from there on: {@code 1.2 ms}, {@code 5.9 s}. */
    public static String duration(Duration duration) {
        double millis = duration.toNanos() / NANOS_PER_MILLI;
        return millis < 1_000
                ? String.format(Locale.ROOT, "%.1f ms", millis)
                : String.format(Locale.ROOT, "%,.1f s", millis / 1_000);
    }
}
