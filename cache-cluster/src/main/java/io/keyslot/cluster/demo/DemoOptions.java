// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.util.ArrayList;
import java.util.List;

/** The options of the demo: the kind of partitions, how many sales to replay, and the number of threads. */
public record DemoOptions(Engine engine, int sales, int threads) {
    public static final int ALL_SALES = 251_395;

    /** Fewer sales do not reach all phases. */
    public static final int FEWEST_SALES = 100;

    /** Well below the number of loads that a cache allows while a partition is missing. */
    private static final int MOST_THREADS = 32;

    public DemoOptions {
        List<String> problems = new ArrayList<>();
        if (sales < FEWEST_SALES || sales > ALL_SALES) {
            problems.add("sales is %d, must be %d to %d".formatted(sales, FEWEST_SALES, ALL_SALES));
        }
        if (threads < 1 || threads > MOST_THREADS) {
            problems.add("threads is %d, must be 1 to %d".formatted(threads, MOST_THREADS));
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("Demo: " + String.join("; ", problems));
        }
    }

    public enum Engine {
        EMBEDDED,
        INSTANCES
    }
}
