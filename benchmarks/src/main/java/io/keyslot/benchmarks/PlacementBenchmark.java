// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.client.map.Placement;
import io.keyslot.client.map.PlacementTarget;
import io.keyslot.client.map.Placements;
import io.keyslot.client.map.RangeType;
import io.keyslot.client.stored.EncodedKey;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The time to find the slot of a root key with a placement, compared with a map lookup of the same ids. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PlacementBenchmark {
    private static final int ENTRIES = 10_000;
    private static final int RANGES = 1_000;
    private static final int FIRST_SLOT = 16_384;
    private static final int MANY = 4_095;

    public enum Ids {
        /** Ids of a type without placement, beside a placement of each kind. */
        PLAIN,

        /** The ids of a list with 10,000 entries. */
        LIST,

        /** Numbers in 1,000 ranges, after a list of 10,000 other entries. */
        NUMBERS,

        /** Days in 1,000 ranges, after the same list. */
        DAYS
    }

    @Param
    private Ids ids = Ids.LIST;

    private Map<String, Integer> map = new HashMap<>();
    private String[] asked = {};
    private EncodedKey[] keys = {};
    private Placements placements = Placements.none();
    private int last;

    @Setup
    public void fill() {
        Random random = new Random(1);
        Map<String, PlacementTarget> list = new HashMap<>();
        for (int entry = 0; entry < ENTRIES; entry++) {
            list.put("tenant-%05d".formatted(entry), PlacementTarget.of(FIRST_SLOT + entry, 1));
        }
        List<Placement.PlacedRange> ranges = new ArrayList<>();
        for (int range = 0; range < RANGES; range++) {
            PlacementTarget target = PlacementTarget.of(FIRST_SLOT + ENTRIES + range, 1);
            ranges.add(new Placement.PlacedRange(id(range), id(range + 1), target));
        }
        RangeType type = ids == Ids.DAYS ? RangeType.DATE : RangeType.NUMBER;
        placements = new Placements(List.of(new Placement("root", type, list, ranges, Placement.Otherwise.HASH)));
        boolean isListed = ids == Ids.LIST || ids == Ids.PLAIN;
        asked = random.ints(MANY + 1, 0, isListed ? ENTRIES : RANGES)
                .mapToObj(number -> isListed ? "tenant-%05d".formatted(number) : id(number))
                .toArray(String[]::new);
        keys = Stream.of(asked)
                .map(id -> EncodedKey.of("order:{" + (ids == Ids.PLAIN ? "none:" : "root:") + id + "}:7"))
                .toArray(EncodedKey[]::new);
        for (String id : asked) {
            map.put(id, id.length());
        }
    }

    private String id(int number) {
        return ids == Ids.DAYS
                ? LocalDate.of(2026, 1, 1).plusDays(number).toString()
                : Long.toString(1_000_000L + 1_000L * number);
    }

    @Benchmark
    public int slot() {
        last = (last + 1) & MANY;
        return placements.slotOf(keys[last]);
    }

    @Benchmark
    public Integer lookInAMap() {
        last = (last + 1) & MANY;
        return map.getOrDefault(asked[last], last);
    }
}
