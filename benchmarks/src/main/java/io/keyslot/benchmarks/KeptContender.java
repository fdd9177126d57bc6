// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.workload.ValueSize;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The contender that the next trial of this JVM may reuse with its entries, if the system property {@value #PROPERTY}
 * is {@code true}; filling it each time would take longer than measuring. JMH's forks keep nothing. Static, because JMH
 * creates the benchmark anew for each trial. Safe for use by several threads.
 */
public final class KeptContender {
    public static final String PROPERTY = "keyslot.benchmark.keep";

    private static final Object LOCK = new Object();
    private static @Nullable FilledContender kept;
    private static @Nullable Content contentOfKept;

    private KeptContender() {}

    /** The contender and its entries. No trial adds or removes keys. */
    record Content(String contender, Lifetime lifetime, ValueSize value, int entries) {}

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

    static void giveBack() {
        if (!Boolean.getBoolean(PROPERTY)) {
            close();
        }
    }

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
