// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import static io.keyslot.simulation.WriteOrder.NOTHING;

import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.client.jcache.ReadsAt;
import io.keyslot.slot.PartitionId;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import io.keyslot.testkit.WriteRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * One schedule of a replicated cache: writes and reads of several processes, one in the midst of another, with faults
 * between and during them.
 *
 * <ul>
 *   <li>No read, at whatever partition, finds a value that is older than the last write that was acknowledged before it
 *       began; unless another process still has to delete copies that it could not reach.
 *   <li>When all faults are over, every partition answers with what the home has, and goes on when that is gone.
 * </ul>
 */
final class ReplicatedSimulation implements Schedules.Schedule {
    private static final int PARTITIONS = 3;
    private static final int PROCESSES = 3;
    private static final int KEYS = 2;
    private static final int STEPS = 60;
    private static final int DEEPEST = 3;
    private static final List<WriteRefusal> REFUSALS = List.of(WriteRefusal.values());
    private static final Duration LONGEST_GAP = Duration.ofMillis(400);

    /** What leases and repairs take at the most. */
    private static final Duration RECOVERY = Duration.ofSeconds(15);

    private final Random random;
    private final EmbeddedKeyslot keyslot;
    private final List<PartitionedCache<String, Long>> caches = new ArrayList<>();
    private final List<Key> keys = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private long lastValue = NOTHING;
    private int depth;
    private int checkedReads;
    private boolean isOver;

    ReplicatedSimulation(long seed) {
        random = new Random(seed);
        keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults()
                .withPartitions(PARTITIONS)
                .withProperty("keyslot.metrics", "false")
                .withSeed(seed));
        for (int process = 0; process < PROCESSES; process++) {
            caches.add(keyslot.cacheManager(process)
                    .createCache("rates", new PartitionedConfiguration<String, Long>().setReplicated(true)));
        }
        for (int i = 0; i < KEYS; i++) {
            String name = "k" + i;
            keys.add(new Key(name, keyslot.partitionOf(caches.get(0), name), new WriteOrder()));
        }
        keyslot.partitions().forEach(PartitionFaults::saveData);
        keyslot.partitions().forEach(partition -> partition.slow(Duration.ofMillis(random.nextInt(8))));
    }

    private record Key(String name, PartitionFaults home, WriteOrder order) {}

    @Override
    public List<String> log() {
        return log;
    }

    /** Returns how many reads were checked against the order of the writes. */
    int checkedReads() {
        return checkedReads;
    }

    @Override
    public void run() {
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        isOver = true;
        heal();
        keyslot.advance(RECOVERY);
        keys.forEach(this::checkAgreement);
    }

    private void step() {
        int choice = random.nextInt(100);
        if (choice < 20) {
            fault();
        } else if (choice < 30) {
            keyslot.advance(Duration.ofMillis(random.nextInt((int) LONGEST_GAP.toMillis())));
        } else {
            if (choice < 60) {
                keyslot.after(Duration.ofMillis(random.nextInt(40)), this::within);
            }
            call();
        }
    }

    /** What happens in the midst of a call. */
    private void within() {
        if (isOver || depth >= DEEPEST) {
            return;
        }
        if (random.nextInt(4) == 0) {
            fault();
        } else {
            call();
        }
    }

    private void call() {
        depth++;
        int process = random.nextInt(PROCESSES);
        Key key = keys.get(random.nextInt(KEYS));
        if (random.nextInt(10) < 5) {
            read(process, key);
        } else {
            write(process, key);
        }
        depth--;
    }

    private void write(int process, Key key) {
        PartitionedCache<String, Long> cache = caches.get(process);
        lastValue++;
        long value = lastValue;
        switch (random.nextInt(5)) {
            case 0 -> write(process, key, value, "replace", () -> cache.replace(key.name(), value));
            case 1 -> write(process, key, value, "putIfAbsent", () -> cache.putIfAbsent(key.name(), value));
            case 2 ->
                write(process, key, NOTHING, "remove", () -> {
                    cache.remove(key.name());
                    return true;
                });
            default ->
                write(process, key, value, "put", () -> {
                    cache.put(key.name(), value);
                    return true;
                });
        }
    }

    private void write(int process, Key key, long value, String operation, BooleanSupplier call) {
        String what = "process %d %s %s, value %d".formatted(process, operation, key.name(), value);
        note(what + " begins");
        WriteOrder.Write write = key.order().begin(value);
        try {
            boolean done = call.getAsBoolean();
            note(what + (done ? ": done" : ": not needed"));
            if (done) {
                key.order().acknowledged(write);
            } else {
                key.order().refused(write);
            }
        } catch (OutcomeUnknownException e) {
            note(what + ": unknown");
        } catch (PartitionUnavailableException | CacheOverloadedException e) {
            note(what + ": not done");
            key.order().refused(write);
        }
    }

    private void read(int process, Key key) {
        PartitionFaults partition = keyslot.partitions().get(random.nextInt(PARTITIONS));
        boolean isChecked = !othersMustDelete(process);
        long begin = key.order().now();
        long value = valueAt(partition, process, key);
        note("process %d reads %s at %s: %d%s"
                .formatted(process, key.name(), partition.name(), value, isChecked ? "" : ", unchecked"));
        if (isChecked) {
            checkedReads++;
            String objection = key.order().objection(begin, value);
            check(objection == null, "process %d found %s at %s".formatted(process, objection, partition.name()));
        }
    }

    private long valueAt(PartitionFaults partition, int process, Key key) {
        Long value = ReadsAt.get(caches.get(process), new PartitionId(partition.name()), key.name());
        return value == null ? NOTHING : value;
    }

    /** Returns whether another process has deletions left: until they are done, it cannot be told what others read. */
    private boolean othersMustDelete(int process) {
        for (int other = 0; other < PROCESSES; other++) {
            boolean deletes = keyslot.cacheManager(other).partitions().stream()
                    .mapToInt(PartitionStatus::journal)
                    .anyMatch(journal -> journal > 0);
            if (other != process && deletes) {
                return true;
            }
        }
        return false;
    }

    private void fault() {
        PartitionFaults partition = keyslot.partitions().get(random.nextInt(PARTITIONS));
        if (random.nextInt(5) < 2) {
            heal(partition);
        } else {
            begin(partition);
        }
        note("fault: " + keyslot.partitions());
    }

    private void begin(PartitionFaults partition) {
        switch (random.nextInt(11)) {
            case 0 -> partition.kill();
            case 1 -> partition.restartEmpty();
            case 2 -> partition.restartWithOldData();
            case 3 -> partition.saveData();
            case 4, 5 -> partition.freeze();
            case 6 -> partition.dropReplies(1 + random.nextInt(4));
            case 7 -> partition.resetConnections();
            case 8 -> partition.cut(random.nextInt(PROCESSES));
            case 9 -> partition.refuseWrites(REFUSALS.get(random.nextInt(REFUSALS.size())));
            default -> partition.slow(Duration.ofMillis(random.nextInt(60)));
        }
    }

    private void heal(PartitionFaults partition) {
        if (!partition.isRunning()) {
            partition.restartWithOldData();
        }
        partition.thaw().dropReplies(0).acceptWrites();
        for (int process = 0; process < PROCESSES; process++) {
            partition.mend(process);
        }
    }

    private void heal() {
        note("recovery");
        keyslot.partitions().forEach(this::heal);
        keyslot.partitions().forEach(partition -> partition.slow(Duration.ZERO));
    }

    /** Twice, as the first read may put the copy there that the second one finds. */
    private void checkAgreement(Key key) {
        for (int round = 0; round < 2; round++) {
            for (int process = 0; process < PROCESSES; process++) {
                long atHome = valueAt(key.home(), process, key);
                String objection = key.order().objection(key.order().now(), atHome);
                check(objection == null, "process %d found %s at home".formatted(process, objection));
                for (PartitionFaults partition : keyslot.partitions()) {
                    long value = valueAt(partition, process, key);
                    check(
                            value == atHome,
                            "%s has %d of %s, its home %d".formatted(partition.name(), value, key.name(), atHome));
                }
            }
        }
        checkCopiesServe(key);
    }

    private void checkCopiesServe(Key key) {
        Long last = caches.get(0).get(key.name());
        key.home().kill();
        for (int process = 0; process < PROCESSES; process++) {
            Long value = caches.get(process).get(key.name());
            check(Objects.equals(value, last), "without its home, %s is %d instead of %d".formatted(key, value, last));
        }
        key.home().restartEmpty();
        keyslot.advance(RECOVERY);
    }

    private void note(String what) {
        log.add("%6d ms %s%s".formatted(keyslot.elapsed().toMillis(), "  ".repeat(depth), what));
    }

    private static void check(boolean expected, String otherwise) {
        if (!expected) {
            throw new AssertionError(otherwise);
        }
    }

    @Override
    public void close() {
        keyslot.close();
    }
}
