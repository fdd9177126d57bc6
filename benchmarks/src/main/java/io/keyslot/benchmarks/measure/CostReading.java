// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** The CPU time of client and servers, and the allocations of this process's live threads, up to one moment. */
record CostReading(long clientNanos, long serverNanos, long allocatedBytes) {
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    static CostReading now(List<Long> servers) {
        long allocated = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            allocated += Math.max(0, bytes); // -1 for a thread that has ended
        }
        return new CostReading(PROCESS.getProcessCpuTime(), ProcessCpu.nanosOf(servers), allocated);
    }

    CostReading since(CostReading earlier) {
        return new CostReading(
                clientNanos - earlier.clientNanos,
                serverNanos - earlier.serverNanos,
                allocatedBytes - earlier.allocatedBytes);
    }
}
