// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import static io.keyslot.simulation.KeyHistory.NOTHING;

import io.keyslot.cache.PartitionState;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import javax.cache.Cache;
import org.junit.jupiter.api.Test;

/** Schedules of calls and faults, each from a seed. */
class FaultSimulationTest {
    private static final int SCHEDULES = Integer.getInteger("tests.schedules", 200);

    @Test
    void randomSchedules_keepEveryPromise() {
        Schedules.run(SCHEDULES, FaultSimulation::new);
    }

    /**
     * One schedule: calls of several processes for a few keys, with faults between the calls and in the midst of them. After
     * each call it must hold:
     *
     * <ul>
     *   <li>a get does not throw;
     *   <li>a call ends by its deadline;
     *   <li>what a call found is possible by all that was acknowledged before: {@link KeyHistory}.
     * </ul>
     *
     * <p>When all faults are taken back, every partition is used again within {@link #RECOVERY}.
     */
    private static final class FaultSimulation implements Schedules.Schedule {
        private static final int PARTITIONS = 2;
        private static final int PROCESSES = 2;
        private static final int KEYS = 5;
        private static final int STEPS = 60;
        private static final Duration CALL = Duration.ofMillis(500);
        private static final Duration RECOVERY = Duration.ofSeconds(3);

        /** Who has not asked since an answer was lost, suspects. */
        private static final Set<PartitionState> CONNECTED = EnumSet.of(PartitionState.HEALTHY, PartitionState.SUSPECT);

        private final Random random;
        private final EmbeddedKeyslot keyslot;
        private final List<Cache<String, Long>> caches = new ArrayList<>();
        private final List<Key> keys = new ArrayList<>();
        private final List<RandomFaults> faults = new ArrayList<>();
        private final List<String> log = new ArrayList<>();
        private long lastValue = NOTHING;
        private int losses;

        FaultSimulation(long seed) {
            random = new Random(seed);
            keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults()
                    .withPartitions(PARTITIONS)
                    .withProperty("keyslot.metrics", "false")
                    .withProperty("keyslot.deadlines.connect", "300ms")
                    .withSeed(seed));
            for (int process = 0; process < PROCESSES; process++) {
                caches.add(keyslot.cacheManager(process)
                        .createCache("numbers", new PartitionedConfiguration<String, Long>()));
            }
            for (int i = 0; i < KEYS; i++) {
                String key = "k" + i;
                keys.add(new Key(key, keyslot.partitionOf(caches.get(0), key), new KeyHistory(key)));
            }
            keyslot.partitions()
                    .forEach(partition -> faults.add(new RandomFaults(partition, PROCESSES, random, this::lost)));
        }

        /** A key and where it lives. */
        private record Key(String name, PartitionFaults owner, KeyHistory history) {}

        @Override
        public List<String> log() {
            return log;
        }

        @Override
        public void run() {
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            recover();
        }

        private void step() {
            int choice = random.nextInt(100);
            if (choice < 15) {
                fault("between calls");
            } else if (choice < 25) {
                pass(Duration.ofMillis(random.nextInt(1_000)));
            } else {
                if (choice < 40) {
                    keyslot.after(Duration.ofMillis(random.nextInt((int) CALL.toMillis())), () -> fault("later"));
                }
                call(random.nextInt(PROCESSES), keys.get(random.nextInt(KEYS)));
            }
        }

        private void fault(String when) {
            RandomFaults chosen = faults.get(random.nextInt(faults.size()));
            chosen.next();
            note("fault " + when + ": " + keyslot.partitions());
        }

        private void lost(PartitionFaults partition) {
            losses++;
            keys.stream()
                    .filter(key -> key.owner().equals(partition))
                    .forEach(key -> key.history().lost());
        }

        private void pass(Duration duration) {
            note("pass " + duration.toMillis() + " ms");
            keyslot.advance(duration);
        }

        private void call(int process, Key key) {
            boolean read = random.nextInt(10) < 4;
            Duration start = keyslot.elapsed();
            if (read) {
                get(process, key);
            } else {
                Operation[] operations = Operation.values();
                change(operations[random.nextInt(operations.length)], process, key);
            }
            Duration took = keyslot.elapsed().minus(start);
            check(took.compareTo(CALL) <= 0, "a call took " + took.toMillis() + " ms");
        }

        private void get(int process, Key key) {
            boolean healthy = state(process, key.owner()) == PartitionState.HEALTHY;
            Duration start = keyslot.elapsed();
            int lossesBefore = losses;
            Long value = caches.get(process).get(key.name());
            note("process %d get %s: %s".formatted(process, key.name(), value));
            if (losses > lossesBefore) {
                return; // nobody knows which came first
            }
            if (value != null) {
                answered(process, key);
                key.history().found(value);
            } else if (healthy && keyslot.elapsed().equals(start)) {
                key.history().found(NOTHING); // its partition said so: otherwise time would have passed
            }
        }

        private void change(Operation operation, int process, Key key) {
            lastValue++;
            long value = lastValue;
            int lossesBefore = losses;
            String call = "process %d %s %s, value %d: ".formatted(process, operation, key.name(), value);
            try {
                Consumer<KeyHistory> result = operation.call(caches.get(process), key.name(), value);
                note(call + "done");
                if (losses > lossesBefore) {
                    key.history().mayBeStored(process, operation.effect(value)); // nobody knows which came first
                } else {
                    answered(process, key);
                    result.accept(key.history());
                }
            } catch (OutcomeUnknownException e) {
                note(call + "unknown");
                key.history().mayBeStored(process, operation.effect(value));
            } catch (PartitionUnavailableException | CacheOverloadedException e) {
                note(call + "not done");
            }
        }

        /** Commands of one process to one partition are executed in the order in which they were sent. */
        private void answered(int process, Key key) {
            keys.stream()
                    .filter(other -> other.owner().equals(key.owner()))
                    .forEach(other -> other.history().answered(process));
        }

        private void recover() {
            pass(CALL); // so that no fault is left for later
            note("recovery");
            faults.forEach(RandomFaults::heal);
            keyslot.advance(RECOVERY);
            for (int process = 0; process < PROCESSES; process++) {
                for (PartitionFaults partition : keyslot.partitions()) {
                    check(CONNECTED.contains(state(process, partition)), partition + " is not used again");
                }
            }
            useAll(Operation.PUT);
            pass(RandomFaults.LONGEST_DELAY); // what was under way has arrived, if it ever does
            useAll(Operation.INVOKE);
            for (Key key : keys) {
                lastValue++;
                caches.get(0).put(key.name(), lastValue);
                check(
                        Long.valueOf(lastValue).equals(caches.get(1).get(key.name())),
                        key.name() + " is not what was put");
            }
        }

        private void useAll(Operation operation) {
            for (int process = 0; process < PROCESSES; process++) {
                for (Key key : keys) {
                    change(operation, process, key);
                }
            }
        }

        private PartitionState state(int process, PartitionFaults partition) {
            return keyslot.cacheManager(process).partitions().stream()
                    .filter(status -> status.id().name().equals(partition.name()))
                    .map(PartitionStatus::state)
                    .findFirst()
                    .orElseThrow();
        }

        private void note(String what) {
            log.add("%6d ms %s".formatted(keyslot.elapsed().toMillis(), what));
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
}
