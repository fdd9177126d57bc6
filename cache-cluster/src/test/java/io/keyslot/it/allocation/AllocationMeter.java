// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.allocation;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.LongStream;

/**
 * Counts the bytes that all threads of this JVM allocate while one of them calls: which of them does the work of a call is
 * not what is measured. Other work in the JVM can only add, so the least of several rounds is taken.
 */
final class AllocationMeter {
    private static final int WARM_UP_CALLS = 1_000;
    private static final int ROUNDS = 8;
    private static final int CALLS_OF_A_ROUND = 500;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Returns how many bytes are allocated for each call, rounded down. */
    long bytesPerCall(Runnable call) {
        repeat(call, WARM_UP_CALLS);
        return LongStream.generate(() -> bytesOfARound(call))
                        .limit(ROUNDS)
                        .min()
                        .orElseThrow()
                / CALLS_OF_A_ROUND;
    }

    private long bytesOfARound(Runnable call) {
        long before = allocatedBytes();
        repeat(call, CALLS_OF_A_ROUND);
        return allocatedBytes() - before;
    }

    private long allocatedBytes() {
        // Of a thread that has just ended, the answer is -1.
        return LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    private static void repeat(Runnable call, int times) {
        for (int i = 0; i < times; i++) {
            call.run();
        }
    }
}
