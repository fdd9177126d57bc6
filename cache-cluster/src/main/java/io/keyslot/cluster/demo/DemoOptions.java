// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * What the demo is asked to do.
 *
 * @param engine what the partitions are
 * @param partitions the addresses of servers that run already; empty if the demo brings its own partitions
 * @param sales how many sales are replayed, the first ones in time
 * @param threads how many threads replay them
 * @param clear whether what the given partitions hold of the demo's caches is removed first
 */
public record DemoOptions(Engine engine, List<String> partitions, int sales, int threads, boolean clear) {
    /** How many sales there are. */
    public static final int ALL_SALES = 251_395;

    /** Fewer do not make three phases. */
    public static final int FEWEST_SALES = 100;

    /** Well below the number of loads that a cache lets through while a partition is missing. */
    private static final int MOST_THREADS = 32;

    public DemoOptions {
        partitions = List.copyOf(partitions);
        List<String> problems = new ArrayList<>();
        if (sales < FEWEST_SALES || sales > ALL_SALES) {
            problems.add("sales is %d, must be %d to %d".formatted(sales, FEWEST_SALES, ALL_SALES));
        }
        if (threads < 1 || threads > MOST_THREADS) {
            problems.add("threads is %d, must be 1 to %d".formatted(threads, MOST_THREADS));
        }
        if (engine == Engine.EMBEDDED && !partitions.isEmpty()) {
            problems.add("partitions are given, but the engine is embedded, which has its own");
        }
        if (clear && partitions.isEmpty()) {
            problems.add("clear is asked for, but the demo's own partitions are empty; it goes with partitions");
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
