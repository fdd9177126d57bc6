// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupRows;
import io.lettuce.core.KeyValue;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** A range of 50 rows of one large group, against {@code MGET} of the same 50 keys by plain Lettuce, without decoding. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 5)
@Fork(1)
@Threads(1)
public class GroupRowsBenchmark {
    private static final EntityKey ROOT = GroupTrial.root(99);
    private static final int RANGE = 50;
    private static final int FILLED_AT_ONCE = 500;
    private static final int STARTS = 1 << 12;

    @Param("100000")
    private int rows;

    private @Nullable GroupTrial trial;
    private List<String> ids = List.of();
    private byte[][] stored = {};
    private int[] starts = {};
    private int next;

    /** For JMH, which sets the parameter. */
    public GroupRowsBenchmark() {}

    GroupRowsBenchmark(int rows) {
        this.rows = rows;
    }

    /** Opens both sides and stores the rows, which is not measured. */
    @Setup
    public void prepare() {
        GroupTrial opened = new GroupTrial(true);
        trial = opened;
        ids = IntStream.range(0, rows).mapToObj(GroupTrial::rowId).toList();
        stored = IntStream.range(0, rows)
                .mapToObj(row -> GroupTrial.stored(GroupTrial.order(ROOT, row)))
                .toArray(byte[][]::new);
        starts = new Random(1).ints(STARTS, 0, rows - RANGE).toArray();
        List<EncodedCustomer> samples = ValueSize.BYTES_200.samples();
        for (int first = 0; first < rows; first += FILLED_AT_ONCE) {
            Map<EntityKey, Customer> batch = new HashMap<>();
            for (int row = first; row < Math.min(rows, first + FILLED_AT_ONCE); row++) {
                batch.put(
                        GroupTrial.order(ROOT, row),
                        samples.get(row % samples.size()).customer());
            }
            opened.orders().putAll(batch);
        }
    }

    /** Lets both run in turn. */
    @Benchmark
    public void rangeAgainstMget() {
        GroupTrial opened = opened();
        GroupRows<Customer> range = opened.manager().group(ROOT).rows("order", Customer.class);
        opened.duel().round("range", () -> range(range, nextStart()), "mget", () -> mget(nextStart()));
    }

    /** Reads rows by their order. */
    int range(GroupRows<Customer> all, int start) {
        return checked(all.from(ids.get(start)).limit(RANGE).toMap().size());
    }

    /** Reads the same rows by their keys. */
    int mget(int start) {
        List<KeyValue<byte[], byte[]>> found =
                opened().lettuce().sync().mget(Arrays.copyOfRange(stored, start, start + RANGE));
        return checked((int) found.stream().filter(KeyValue::hasValue).count());
    }

    private static int checked(int found) {
        if (found != RANGE) {
            throw new IllegalStateException("%d rows were found, must be %d".formatted(found, RANGE));
        }
        return found;
    }

    private int nextStart() {
        return starts[++next & (STARTS - 1)];
    }

    GroupTrial opened() {
        GroupTrial opened = trial;
        if (opened == null) {
            throw new IllegalStateException("prepare comes first");
        }
        return opened;
    }

    /** Closes both sides. */
    @TearDown
    public void end() {
        opened().close();
    }
}
