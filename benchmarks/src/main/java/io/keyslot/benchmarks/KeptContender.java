// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.workload.ValueSize;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The contender that the next trial of this JVM may use again, with its entries.
 *
 * <p>JMH's forks have one trial, and nothing is kept. A JVM whose system property {@value #PROPERTY} is {@code true} measures
 * several operations of one contender, each a trial; to open and fill it for each would take longer than to measure them. It
 * is static because JMH makes the benchmark anew for each trial. Safe for use by several threads.
 */
public final class KeptContender {
    /** Whether contenders are kept. */
    public static final String PROPERTY = "keyslot.benchmark.keep";

    private static final Object LOCK = new Object();
    private static @Nullable FilledContender kept;
    private static @Nullable Content contentOfKept;

    private KeptContender() {}

    /** Which contender it is, and what it holds. No trial leaves other keys behind than it has found. */
    record Content(String contender, Lifetime lifetime, ValueSize value, int entries) {}

    /** Returns the one that was kept, if it has this content, or else opens one. */
    static FilledContender take(Content content, Supplier<FilledContender> opening) {
        synchronized (LOCK) {
            FilledContender usable = kept;
            if (usable == null || !content.equals(contentOfKept)) {
                close();
                usable = opening.get();
                kept = usable;
                contentOfKept = content;
            }
            return usable;
        }
    }

    /** Tells that a trial has ended. */
    static void giveBack() {
        if (!Boolean.getBoolean(PROPERTY)) {
            close();
        }
    }

    /** Closes the contender that is kept, if there is one. */
    public static void close() {
        synchronized (LOCK) {
            FilledContender closed = kept;
            kept = null;
            if (closed != null) {
                closed.close();
            }
        }
    }
}
