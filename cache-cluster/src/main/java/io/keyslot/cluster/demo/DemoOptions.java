// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * What the demo is asked to do.
 *
 * @param engine what the partitions are
 * @param sales how many sales are replayed, the first ones in time
 * @param threads how many threads replay them
 */
public record DemoOptions(Engine engine, int sales, int threads) {
    /** How many sales there are. */
    public static final int ALL_SALES = 251_395;

    /** Fewer do not make all phases. */
    public static final int FEWEST_SALES = 100;

    /** Well below the number of loads that a cache lets through while a partition is missing. */
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

    /** What the partitions are. */
    public enum Engine {
        /** In this process. */
        EMBEDDED,
        /** Redis or Valkey servers. */
        INSTANCES
    }
}
