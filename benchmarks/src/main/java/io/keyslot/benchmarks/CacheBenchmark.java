// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.Contender;
import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.benchmarks.workload.ValueSize;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * One operation of one contender on a cache. A miss is a failure, so that a contender cannot be fast by losing entries.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CacheBenchmark {
    private static final long SEED = 20_261_121;
    private static final int BATCHES = 1_024;
    private static final int BATCH_SIZE = 100;
    private static final int GROUPS = 1_000;

    @Param({
        "lettuce-sync",
        "lettuce-kryo",
        "keyslot",
        "keyslot-default",
        "keyslot-typed",
        "jedis",
        "redisson-jcache",
        "spring-rediscache",
        "lettuce-cluster",
        "keyslot-cluster",
        "keyslot-near",
        "keyslot-embedded",
        "caffeine"
    })
    private String contender = "";

    @Param("UNIFORM")
    private KeyChoice keys = KeyChoice.UNIFORM;

    @Param("BYTES_200")
    private ValueSize value = ValueSize.BYTES_200;

    @Param("MODIFIED")
    private Lifetime lifetime = Lifetime.MODIFIED;

    @Param("100000")
    private int entries;

    private @Nullable FilledContender filled;
    private List<EncodedCustomer> samples = List.of();
    private List<Batch> batches = List.of();

    public CacheBenchmark() {}

    CacheBenchmark(ContenderType type, KeyChoice keys, int entries) {
        this.contender = type.label();
        this.keys = keys;
        this.entries = entries;
    }

    @Setup
    public void prepare() {
        samples = value.samples();
        batches = Batch.chosen(keys, entries, BATCHES, BATCH_SIZE, samples, SEED);
        FilledContender ready = KeptContender.take(
                new KeptContender.Content(contender, lifetime, value, entries),
                () -> FilledContender.open(ContenderType.of(contender), lifetime, Batch.all(entries, samples)));
        ready.beginTrial();
        filled = ready;
    }

    @Benchmark
    public Object get(Caller caller) {
        return get(caller, caller.nextId());
    }

    private Object get(Caller caller, long id) {
        long begin = caller.begin();
        Object found = contender().get(id);
        caller.end(begin);
        if (found == null) {
            throw new IllegalStateException("%s has lost customer %d".formatted(contender, id));
        }
        return found;
    }

    @Benchmark
    public void put(Caller caller) {
        put(caller, caller.nextId());
    }

    private void put(Caller caller, long id) {
        EncodedCustomer sample = caller.sample(id);
        long begin = caller.begin();
        contender().put(id, sample);
        caller.end(begin);
    }

    @Benchmark
    public @Nullable Object mixed95(Caller caller) {
        long id = caller.nextId();
        if (caller.isWrite()) {
            put(caller, id);
            return null;
        }
        return get(caller, id);
    }

    @Benchmark
    public Map<Long, ?> getAll(Caller caller) {
        Batch batch = caller.nextBatch();
        long begin = caller.begin();
        Map<Long, ?> found = contender().getAll(batch);
        caller.end(begin);
        if (found.size() != batch.size()) {
            throw new IllegalStateException(
                    "%s has lost %d of %d customers".formatted(contender, batch.size() - found.size(), batch.size()));
        }
        return found;
    }

    @Benchmark
    public void putAll(Caller caller) {
        Batch batch = caller.nextBatch();
        long begin = caller.begin();
        contender().putAll(batch);
        caller.end(begin);
    }

    @Benchmark
    public long invoke(Caller caller) {
        long id = caller.nextId();
        long begin = caller.begin();
        long visits = contender().invoke(id);
        caller.end(begin);
        return visits;
    }

    @Benchmark
    public long transaction(Caller caller) {
        long group = caller.nextId() % GROUPS;
        EncodedCustomer initial = samples.get(0);
        long begin = caller.begin();
        long visits = contender().transaction(group, initial);
        caller.end(begin);
        return visits;
    }

    private Contender contender() {
        return filled().contender();
    }

    private FilledContender filled() {
        FilledContender open = filled;
        if (open == null) {
            throw new IllegalStateException("prepare comes first");
        }
        return open;
    }

    int[] choose(int length, long thread) {
        return keys.choose(entries, length, SEED + thread);
    }

    List<Batch> batches() {
        return batches;
    }

    List<EncodedCustomer> samples() {
        return samples;
    }

    boolean readsInTheProcess() {
        ContenderType type = ContenderType.of(contender);
        return type.isLocal() || type.isNear();
    }

    /** Closes the contender and the servers that were started for it, unless the next trial uses them. */
    @TearDown
    public void end() {
        filled().endTrial();
        KeptContender.giveBack();
    }
}
