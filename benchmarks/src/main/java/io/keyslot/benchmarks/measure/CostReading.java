// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * What client and servers have spent until one moment.
 *
 * @param clientNanos the CPU time of this process
 * @param serverNanos the CPU time of the servers' processes
 * @param allocatedBytes what the threads of this process have allocated that are alive
 */
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

    /** Returns what was spent since an earlier reading. */
    CostReading since(CostReading earlier) {
        return new CostReading(
                clientNanos - earlier.clientNanos,
                serverNanos - earlier.serverNanos,
                allocatedBytes - earlier.allocatedBytes);
    }
}
