// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearValues;
import io.keyslot.simulation.Schedules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntConsumer;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * One schedule of several processes with near caches, and one without: reads and writes, one in the midst of another, while
 * connections are lost, lines are slow, cut and mended, and partitions stand still or begin again with nothing. The cache is a plain
 * one, or one in groups. What is found is checked by {@link NearHistory}.
 *
 * <p>A call that decides something by what it finds, such as {@code getAndPut}, must not find what a near copy has: it is held to
 * a staleness of zero.
 */
final class NearSimulation implements Schedules.Schedule {
    private static final String ENTITY = "customer";
    private static final int PARTITIONS = 2;
    private static final int PROCESSES = 3;
    private static final int WITHOUT_NEAR = 2;
    private static final int KEYS = 3;
    private static final int STEPS = 60;
    private static final int DEEPEST = 3;
    private static final List<Integer> STALENESS_MILLIS = List.of(100, 300, 600);
    private static final Duration LONGEST_GAP = Duration.ofMillis(250);
    private static final Duration LONGEST_LOSS = Duration.ofSeconds(2);

    /** What the cache is. */
    private enum Kind {
        PLAIN,
        /** Each key is a group of its own: it is also changed by transactions, and removed with its group. */
        GROUPED
    }

    private final Random random;
    private final Kind kind;
    private final IntConsumer whenOver;
    private final EmbeddedKeyslot keyslot;
    private final Duration staleness;
    private final Duration whenMissing;
    private final Duration lifetime;
    private final List<PartitionedCache<String, Long>> caches = new ArrayList<>();
    private final Map<String, Key> keys = new LinkedHashMap<>();
    private final List<String> log = new ArrayList<>();
    private long lastValue = NearHistory.NOTHING;
    private int depth;
    private long sent;
    private int nearReads;

    /** @param nearReads is told how many reads have found something without asking anybody */
    NearSimulation(long seed, IntConsumer nearReads) {
        whenOver = nearReads;
        random = new Random(seed);
        staleness = Duration.ofMillis(STALENESS_MILLIS.get(random.nextInt(STALENESS_MILLIS.size())));
        whenMissing = Duration.ofMillis(random.nextInt(3) == 0 ? 1_500 : 0);
        lifetime = random.nextInt(4) == 0 ? Duration.ofMillis(400) : Duration.ZERO;
        keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults()
                .withPartitions(PARTITIONS)
                .withProperty("keyslot.metrics", "false")
                .withProperty("keyslot.deadlines.connect", "300ms")
                .withProperty("keyslot.deadlines.command", "400ms") // longer than a line is slow
                .withSeed(seed));
        kind = Kind.values()[Math.floorMod(seed, Kind.values().length)];
        NearValues values = random.nextBoolean() ? NearValues.SHARED : NearValues.COPY;
        for (int process = 0; process < PROCESSES; process++) {
            PartitionedConfiguration<String, Long> configuration = new PartitionedConfiguration<>();
            if (process != WITHOUT_NEAR) {
                configuration.setNear(NearOptions.ofEntries(100)
                        .withStaleness(staleness)
                        .withValues(values)
                        .withWhenMissing(whenMissing));
            }
            if (kind == Kind.GROUPED) {
                configuration.setGroupedBy(ENTITY);
            }
            if (!lifetime.isZero()) {
                configuration.setExpiryPolicyFactory(ModifiedExpiryPolicy.factoryOf(
                        new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, lifetime.toMillis())));
            }
            caches.add(keyslot.cacheManager(process).createCache("rates", configuration));
        }
        keyslot.partitions().forEach(partition -> partition.watch(command -> sent++));
        for (int i = 0; i < KEYS; i++) {
            String name = "k" + i;
            keys.put(
                    name,
                    new Key(
                            name,
                            keyslot.partitionOf(caches.get(WITHOUT_NEAR), name),
                            new NearHistory(tolerance(0), lifetime.toNanos())));
        }
    }

    private record Key(String name, PartitionFaults home, NearHistory history) {}

    @Override
    public List<String> log() {
        return log;
    }

    @Override
    public void run() {
        for (int i = 0; i < STEPS; i++) {
            step();
        }
    }

    private void step() {
        int choice = random.nextInt(100);
        if (choice < 8) {
            fault();
        } else if (choice < 12) {
            hearLate(nearProcess(), anyKey());
        } else if (choice < 16) {
            loseTwice(nearProcess(), anyKey());
        } else if (choice < 20) {
            readSlowly(nearProcess());
        } else if (choice < 40) {
            keyslot.advance(upTo(LONGEST_GAP));
        } else {
            if (choice < 60) {
                keyslot.after(Duration.ofMillis(random.nextInt(60)), this::within);
            }
            call();
        }
    }

    private int nearProcess() {
        return random.nextInt(WITHOUT_NEAR);
    }

    private Key anyKey() {
        return Objects.requireNonNull(keys.get("k" + random.nextInt(KEYS)));
    }

    private Duration upTo(Duration longest) {
        return Duration.ofMillis(random.nextInt((int) longest.toMillis()));
    }

    /** A process hears late of what others do at once, and reads nothing meanwhile. */
    private void hearLate(int process, Key key) {
        read(process, key);
        key.home().slow(process, Duration.ofMillis(390));
        Duration written = Duration.ofMillis(150).plus(upTo(LONGEST_GAP));
        keyslot.after(written, () -> put(WITHOUT_NEAR, key));
        keyslot.advance(written.plus(upTo(LONGEST_GAP)));
        read(process, key);
        key.home().slow(process, Duration.ZERO);
    }

    /** A process loses its connection twice; in between it sees something newer than its copy, which it has not asked for. */
    private void loseTwice(int process, Key key) {
        read(process, key);
        key.home().resetConnections();
        if (random.nextBoolean()) {
            keyslot.advance(Duration.ofMillis(random.nextInt(50)));
        }
        put(WITHOUT_NEAR, key);
        peek(process, key);
        if (random.nextBoolean()) {
            read(process, key);
        }
        fault(key.home());
        keyslot.advance(upTo(LONGEST_LOSS));
        read(process, key);
    }

    /** What was read at one partition is not known before another one has answered; meanwhile it is changed. */
    private void readSlowly(int process) {
        PartitionFaults slow = keyslot.partitions().get(random.nextInt(PARTITIONS));
        Duration delay = Duration.ofMillis(20 + random.nextInt(100));
        Key key = anyKey();
        int writer = random.nextInt(PROCESSES);
        readAll(process);
        put(WITHOUT_NEAR, key);
        slow.slow(process, delay);
        keyslot.after(upTo(delay), () -> put(writer, key));
        readAll(process);
        slow.slow(process, Duration.ZERO);
        keyslot.advance(staleness.plusMillis(10));
        readAll(process);
    }

    /** What happens in the midst of a call, or of a while in which nothing does. */
    private void within() {
        if (depth >= DEEPEST) {
            return;
        }
        if (random.nextInt(6) == 0) {
            fault();
        } else {
            call();
        }
    }

    private void call() {
        depth++;
        int process = random.nextInt(PROCESSES);
        Key key = anyKey();
        switch (random.nextInt(36)) {
            case 0, 1 -> readAll(process);
            case 2 -> contains(process, key);
            case 3 ->
                write(process, Set.of(key), NearHistory.NOTHING, "remove", cache -> {
                    boolean unused = cache.remove(key.name());
                    return true;
                });
            case 4 -> write(process, Set.of(key), next(), "replace", cache -> cache.replace(key.name(), lastValue));
            case 5 ->
                write(process, Set.of(key), next(), "putIfAbsent", cache -> cache.putIfAbsent(key.name(), lastValue));
            case 6 ->
                decide(process, key, "getAndPut", value -> caches.get(process).getAndPut(key.name(), value));
            case 7 ->
                decide(
                        process,
                        key,
                        "invoke",
                        value -> caches.get(process).invoke(key.name(), (entry, none) -> {
                            Long found = entry.getValue();
                            entry.setValue(value);
                            return found;
                        }));
            case 8 -> removeAll(process);
            case 13 -> peek(process, key);
            case 14 -> clear(process);
            case 15, 16 -> changeAndRead(process, key);
            case 9 -> writeAll(process);
            case 10, 11, 12 -> put(process, key);
            default -> read(process, key);
        }
        depth--;
    }

    private long next() {
        lastValue++;
        return lastValue;
    }

    private void put(int process, Key key) {
        long value = next();
        write(process, Set.of(key), value, "put", cache -> {
            cache.put(key.name(), value);
            return true;
        });
    }

    private void clear(int process) {
        write(process, Set.copyOf(keys.values()), NearHistory.NOTHING, "clear", cache -> {
            cache.clear();
            return true;
        });
    }

    /** The process that changes an entry reads it at once, before any notice can arrive. */
    private void changeAndRead(int process, Key key) {
        read(process, key);
        changeByKind(process, key);
        read(process, key);
    }

    private void changeByKind(int process, Key key) {
        if (kind == Kind.PLAIN) {
            put(process, key);
        } else if (random.nextBoolean()) {
            removeGroup(process, key);
        } else {
            transact(process, key);
        }
    }

    private CacheGroup group(int process, Key key) {
        return keyslot.cacheManager(process).group(EntityKey.of(ENTITY, key.name()));
    }

    private void removeGroup(int process, Key key) {
        write(process, Set.of(key), NearHistory.NOTHING, "removal of the group", cache -> {
            long unused = group(process, key).removeAll();
            return true;
        });
    }

    private void transact(int process, Key key) {
        long value = next();
        write(process, Set.of(key), value, "transaction", cache -> {
            group(process, key)
                    .transactWithoutResult(group -> group.entries(cache).put(key.name(), value));
            return true;
        });
    }

    private void removeAll(int process) {
        write(process, Set.copyOf(keys.values()), NearHistory.NOTHING, "removeAll", cache -> {
            cache.removeAll(keys.keySet());
            return true;
        });
    }

    /** Each key has a history of its own, so that the value may be the same. */
    private void writeAll(int process) {
        long value = next();
        write(process, Set.copyOf(keys.values()), value, "putAll", cache -> {
            Map<String, Long> all = new LinkedHashMap<>();
            keys.keySet().forEach(name -> all.put(name, value));
            cache.putAll(all);
            return true;
        });
    }

    private void write(
            int process,
            Set<Key> written,
            long value,
            String operation,
            Function<PartitionedCache<String, Long>, Boolean> call) {
        Map<Key, NearHistory.Write> begun = new LinkedHashMap<>();
        for (Key key : keys.values()) {
            if (written.contains(key)) {
                begun.put(key, key.history().begin(value));
            }
        }
        String what = "process %d %s %s, value %d".formatted(process, operation, namesOf(written), value);
        note(what + " begins");
        try {
            boolean done = call.apply(caches.get(process));
            note(what + (done ? ": done" : ": not needed"));
            begun.forEach((key, write) -> {
                if (done) {
                    key.history().acknowledged(write, process, now());
                } else {
                    key.history().refused(write);
                }
            });
        } catch (OutcomeUnknownException e) {
            note(what + ": unknown");
        } catch (PartitionUnavailableException | CacheOverloadedException e) {
            note(what + ": not done");
            if (written.size() == 1) {
                begun.forEach((key, write) -> key.history().refused(write));
            }
        }
    }

    private static Set<String> namesOf(Set<Key> written) {
        Set<String> names = new TreeSet<>();
        written.forEach(key -> names.add(key.name()));
        return names;
    }

    /** Writes and answers what was there, which decides nothing here, but could. */
    private void decide(int process, Key key, String operation, Function<Long, @Nullable Long> call) {
        long value = next();
        NearHistory.Read read = key.history().beginRead(process, now());
        NearHistory.Write write = key.history().begin(value);
        String what = "process %d %s %s, value %d".formatted(process, operation, key.name(), value);
        note(what + " begins");
        try {
            long before = orNothing(call.apply(value));
            note(what + ": done, instead of " + before);
            check(key.history().found(read, process, before, 0), process, operation, key);
            key.history().acknowledged(write, process, now());
        } catch (OutcomeUnknownException e) {
            note(what + ": unknown");
        } catch (PartitionUnavailableException | CacheOverloadedException e) {
            note(what + ": not done");
            key.history().refused(write);
        }
    }

    /** Looks as one does who could change something. */
    private void peek(int process, Key key) {
        NearHistory.Read read = key.history().beginRead(process, now());
        try {
            long value = orNothing(caches.get(process).<Long>invoke(key.name(), (entry, none) -> entry.getValue()));
            note("process %d looks at %s: %d".formatted(process, key.name(), value));
            check(key.history().found(read, process, value, 0), process, "look", key);
        } catch (OutcomeUnknownException | PartitionUnavailableException | CacheOverloadedException e) {
            note("process %d looks at %s: nobody knows".formatted(process, key.name()));
        }
    }

    private void read(int process, Key key) {
        NearHistory.Read read = key.history().beginRead(process, now());
        long before = sent;
        long value = orNothing(caches.get(process).get(key.name()));
        if (value != NearHistory.NOTHING && sent == before) {
            nearReads++;
        }
        note("process %d get %s: %d".formatted(process, key.name(), value));
        judge(key, read, process, value, "get");
    }

    private void judge(Key key, NearHistory.Read read, int process, long value, String operation) {
        check(key.history().found(read, process, value, tolerance(process)), process, operation, key);
    }

    private void readAll(int process) {
        Map<Key, NearHistory.Read> reads = new LinkedHashMap<>();
        keys.values().forEach(key -> reads.put(key, key.history().beginRead(process, now())));
        Map<String, Long> all = caches.get(process).getAll(keys.keySet());
        note("process %d getAll: %s".formatted(process, new TreeMap<>(all)));
        reads.forEach((key, read) -> {
            long value = orNothing(all.get(key.name()));
            judge(key, read, process, value, "getAll");
        });
    }

    private void contains(int process, Key key) {
        NearHistory.Read read = key.history().beginRead(process, now());
        boolean found;
        try {
            found = caches.get(process).containsKey(key.name());
        } catch (PartitionUnavailableException | CacheOverloadedException e) {
            note("process %d containsKey %s: nobody knows".formatted(process, key.name()));
            return;
        }
        note("process %d containsKey %s: %s".formatted(process, key.name(), found));
        check(
                found && !key.history().mayBePresent(read) ? "something, long after it was gone" : null,
                process,
                "containsKey",
                key);
    }

    private long tolerance(int process) {
        return process == WITHOUT_NEAR ? 0 : Math.max(staleness.toNanos(), whenMissing.toNanos());
    }

    private void fault() {
        fault(keyslot.partitions().get(random.nextInt(PARTITIONS)));
    }

    private void fault(PartitionFaults partition) {
        if (random.nextInt(5) < 2) {
            heal(partition);
        } else {
            begin(partition);
        }
        note("fault: " + keyslot.partitions());
    }

    private void begin(PartitionFaults partition) {
        int process = random.nextInt(PROCESSES);
        switch (random.nextInt(11)) {
            case 0 -> lose(partition, partition::kill);
            case 1 -> lose(partition, partition::restartEmpty);
            case 2 -> lose(partition, partition::restartWithSameData);
            case 3 -> partition.freeze();
            case 4 -> partition.dropReplies(1 + random.nextInt(3));
            case 5 -> partition.resetConnections();
            case 6, 7 -> partition.cut(process);
            case 8 -> partition.slow(Duration.ofMillis(random.nextInt(60)));
            case 9 -> partition.voidAll(true);
            default -> partition.slow(process, Duration.ofMillis(random.nextInt(390)));
        }
    }

    /** What a partition stores in another life, its clients do not take for what it had in the one before. */
    private void lose(PartitionFaults partition, Runnable fault) {
        fault.run();
        keys.values().stream()
                .filter(key -> key.home().equals(partition))
                .forEach(key -> key.history().lost(now()));
    }

    private void heal(PartitionFaults partition) {
        if (!partition.isRunning()) {
            lose(partition, partition::restartEmpty);
        }
        partition.voidAll(false);
        partition.thaw().dropReplies(0).slow(Duration.ZERO);
        for (int process = 0; process < PROCESSES; process++) {
            partition.mend(process);
            partition.slow(process, Duration.ZERO);
        }
    }

    private long now() {
        return keyslot.elapsed().toNanos();
    }

    private static long orNothing(@Nullable Long value) {
        return value == null ? NearHistory.NOTHING : value;
    }

    private void note(String what) {
        log.add("%6d ms %s%s".formatted(keyslot.elapsed().toMillis(), "  ".repeat(depth), what));
    }

    private static void check(@Nullable String objection, int process, String operation, Key key) {
        if (objection != null) {
            throw new AssertionError(
                    "process %d, %s of %s: found %s".formatted(process, operation, key.name(), objection));
        }
    }

    @Override
    public void close() {
        whenOver.accept(nearReads);
        keyslot.close();
    }

    /**
     * The writes of one key, each of another value, and what a read of a process may find, by all that the callers were told: no
     * value that was overwritten longer ago than near copies may be stale, and none that is older than what this process has found
     * or written before. Nothing may always be found: it is a cache.
     *
     * <p>A write is later than another if it began after the other was acknowledged. One whose outcome is unknown, or whose end is
     * not reached, may be done at any time: nothing is later.
     */
    private static final class NearHistory {
        static final long NOTHING = 0;

        private static final long NEVER = Long.MAX_VALUE;

        private final long stalenessNanos;
        private final long lifetimeNanos;
        private final List<Write> writes = new ArrayList<>();
        private final Map<Integer, List<Write>> known = new HashMap<>();
        private long order;

        /** Creates the history of a key that nobody has written; lifetime is zero if entries live for ever. */
        NearHistory(long stalenessNanos, long lifetimeNanos) {
            this.stalenessNanos = stalenessNanos;
            this.lifetimeNanos = lifetimeNanos;
        }

        /** A write, from when to when it may have been done. */
        static final class Write {
            private final long value;
            private final long begin;
            private long end = NEVER;
            private long endNanos = NEVER;
            private boolean refused;

            private Write(long value, long begin) {
                this.value = value;
                this.begin = begin;
            }
        }

        /** What a process knew when its read began. */
        static final class Read {
            private final long nanos;
            private final List<Write> known;

            private Read(long nanos, List<Write> known) {
                this.nanos = nanos;
                this.known = known;
            }
        }

        Write begin(long value) {
            Write write = new Write(value, ++order);
            writes.add(write);
            return write;
        }

        /** The write was acknowledged to a process. */
        void acknowledged(Write write, int process, long nanos) {
            write.end = ++order;
            write.endNanos = nanos;
            known.computeIfAbsent(process, unused -> new ArrayList<>()).add(write);
        }

        /** The write was not done. */
        void refused(Write write) {
            write.refused = true;
        }

        /** All that was stored is gone. */
        void lost(long nanos) {
            Write loss = begin(NOTHING);
            loss.end = ++order;
            loss.endNanos = nanos;
        }

        Read beginRead(int process, long nanos) {
            return new Read(nanos, List.copyOf(known.getOrDefault(process, List.of())));
        }

        /** A process has found a value, and knows it from now on. Returns why it must not have; null if it may. */
        @Nullable
        String found(Read read, int process, long value, long tolerance) {
            if (value == NOTHING) {
                return null;
            }
            Write found = writes.stream()
                    .filter(write -> write.value == value)
                    .findFirst()
                    .orElseThrow();
            String objection = objection(read, found, tolerance);
            known.computeIfAbsent(process, unused -> new ArrayList<>()).add(found);
            return objection;
        }

        /** Returns why a read by a near copy must not have found it. */
        private @Nullable String objection(Read read, Write found, long tolerance) {
            if (found.refused) {
                return "value %d, which was not stored".formatted(found.value);
            }
            if (found.end == NEVER) {
                return null;
            }
            if (lifetimeNanos > 0 && found.endNanos + lifetimeNanos < read.nanos) {
                return "value %d, which had expired".formatted(found.value);
            }
            for (Write later : writes) {
                if (later.begin > found.end && later.end != NEVER && !later.refused) {
                    if (later.endNanos < read.nanos - tolerance) {
                        return "value %d, %d ms after %d was acknowledged"
                                .formatted(found.value, (read.nanos - later.endNanos) / 1_000_000, later.value);
                    }
                }
            }
            return read.known.stream()
                    .filter(later -> later.begin > found.end)
                    .findFirst()
                    .map(later -> "value %d, although it knew %d".formatted(found.value, later.value))
                    .orElse(null);
        }

        /** Returns whether that something is there may be so for a process with near copies. */
        boolean mayBePresent(Read read) {
            return writes.stream()
                    .anyMatch(write -> write.value != NOTHING && objection(read, write, stalenessNanos) == null);
        }
    }
}
