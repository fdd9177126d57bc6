// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The CPU time of other processes, from Linux's {@code /proc}. */
final class ProcessCpu {
    private static final Path PROC = Path.of("/proc");

    private ProcessCpu() {}

    /** Returns whether this system supports it. */
    static boolean isKnown() {
        return Files.isReadable(PROC.resolve("self/schedstat"));
    }

    /** Returns the nanoseconds of all live threads of these processes. */
    static long nanosOf(List<Long> pids) {
        return pids.stream().mapToLong(ProcessCpu::nanosOf).sum();
    }

    private static long nanosOf(long pid) {
        try (Stream<Path> threads = Files.list(PROC.resolve(Long.toString(pid)).resolve("task"))) {
            return threads.mapToLong(ProcessCpu::nanosOfThread).sum();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the CPU time of process %d".formatted(pid), e);
        }
    }

    private static long nanosOfThread(Path thread) {
        try {
            return nanosIn(Files.readString(thread.resolve("schedstat")));
        } catch (NoSuchFileException e) {
            return 0; // the thread has ended meanwhile
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the CPU time of " + thread, e);
        }
    }

    /** Returns the first of three numbers: nanoseconds on a processor, nanoseconds of waiting for one, time slices. */
    static long nanosIn(String schedstat) {
        return Long.parseLong(schedstat.strip().split(" ", -1)[0]);
    }
}
