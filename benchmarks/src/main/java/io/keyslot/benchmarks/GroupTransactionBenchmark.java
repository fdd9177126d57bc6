// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.SetPipeline;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.ValueSize;
import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupEntries;
import io.keyslot.cache.PartitionedCacheManager;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.List;
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

/** A transaction that puts 20 entries of a group, against 20 {@code SET}s of plain Lettuce in one flush. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 5)
@Fork(1)
@Threads(1)
public class GroupTransactionBenchmark {
    private static final int GROUPS = 1_000;
    private static final int PUTS = 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Param({"true", "false"})
    private boolean indexed;

    private List<EncodedCustomer> samples = List.of();
    private List<Group> groups = List.of();
    private @Nullable GroupTrial trial;
    private int next;

    /** For JMH, which sets the parameter. */
    public GroupTransactionBenchmark() {}

    /** Opens both sides, which is not measured. */
    @Setup
    public void prepare() {
        GroupTrial opened = new GroupTrial(indexed);
        trial = opened;
        samples = ValueSize.BYTES_200.samples();
        groups = IntStream.range(0, GROUPS)
                .mapToObj(number -> new Group(opened.manager(), number))
                .toList();
    }

    /** Lets both run in turn. */
    @Benchmark
    public void transactionAgainstSets() {
        opened().duel().round("transaction", () -> transact(nextGroup()), "sets", () -> set(nextGroup()));
    }

    /** Puts all entries of a group together. */
    void transact(Group group) {
        group.handle.transactWithoutResult(tx -> {
            GroupEntries<EntityKey, Customer> entries = tx.entries(opened().orders());
            group.keys.forEach(key -> entries.put(key, nextSample().customer()));
        });
    }

    /** Stores the same without envelope, codec and index, one by one. */
    void set(Group group) {
        SetPipeline pipeline = new SetPipeline(opened().lettuce(), new SetArgs());
        group.stored.forEach(key -> pipeline.add(key, nextSample().bytes()));
        pipeline.send();
        pipeline.await(TIMEOUT);
    }

    Group nextGroup() {
        return groups.get(++next % groups.size());
    }

    private EncodedCustomer nextSample() {
        return samples.get(++next % samples.size());
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

    /** A group with the keys of its entries, and the keys of another one, which is left to Lettuce. */
    static final class Group {
        private final CacheGroup handle;
        private final List<EntityKey> keys;
        private final List<byte[]> stored;

        Group(PartitionedCacheManager manager, int number) {
            EntityKey root = GroupTrial.root(number);
            handle = manager.group(root);
            keys = IntStream.range(0, PUTS)
                    .mapToObj(order -> GroupTrial.order(root, order))
                    .toList();
            EntityKey other = GroupTrial.root(GROUPS + number);
            stored = IntStream.range(0, PUTS)
                    .mapToObj(order -> GroupTrial.stored(GroupTrial.order(other, order)))
                    .toList();
        }

        List<EntityKey> keys() {
            return keys;
        }
    }
}
