// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyslot.client.traffic.SlotCounts;
import io.keyslot.slot.HashSlot;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** What it takes to decide whether a call is counted, and to count it if so; by two threads that meet at the same slots. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@Threads(2)
public class SlotCountsBenchmark {
    private static final int MANY = 1 << 12;

    /** How many keys are asked for: one, in one slot, or many. */
    @Param({"1", "4096"})
    private int different = 1;

    private final SlotCounts counts = new SlotCounts(new Random(1));
    private final byte[][] keys = IntStream.range(0, MANY)
            .mapToObj(i -> ("customer:" + i).getBytes(UTF_8))
            .toArray(byte[][]::new);
    private final int[] slots =
            IntStream.range(0, MANY).map(i -> HashSlot.of(keys[i])).toArray();

    /** Where a thread is. */
    @State(Scope.Thread)
    public static class Position {
        private int next;
    }

    /** Counts a call, if it is one that is counted. */
    @Benchmark
    public boolean count(Position position) {
        int i = ++position.next & (different - 1);
        boolean isChosen = counts.chooses(slots[i]);
        if (isChosen) {
            counts.count(slots[i], 200, keys[i]);
        }
        return isChosen;
    }
}
