// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import io.keyslot.testkit.WriteRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Many schedules of partitions that refuse writes, each from a seed. */
class RefusedWritesSimulationTest {
    private static final int SCHEDULES = Integer.getInteger("tests.schedules", 100);

    @Test
    void randomSchedules_serveWhatTheLastChangeThatWasDoneHasLeft_andNothingOlder() {
        Schedules.run(SCHEDULES, RefusedWritesSimulation::new);
    }

    /**
     * One schedule of partitions that execute reads and refuse writes, now and then together with other faults. The values of a
     * key count up. What must hold:
     *
     * <ul>
     *   <li>No process ever finds, by whatever call, a value that is older than what it has itself put or removed since, if
     *       that call returned.
     *   <li>With {@code fail}, a process finds exactly what the last call that was done has left, whichever calls were refused
     *       since.
     *   <li>When writes are accepted again, all processes find the same; it is not older than the
     *       last call that returned, of whatever process.
     * </ul>
     */
    private static final class RefusedWritesSimulation implements Schedules.Schedule {
        private static final int PARTITIONS = 3;
        private static final int PROCESSES = 2;
        private static final int KEYS = 4;
        private static final int STEPS = 80;
        private static final List<WriteRefusal> REFUSALS = List.of(WriteRefusal.values());
        private static final long NONE = -1;
        private static final Duration RECOVERY = Duration.ofSeconds(15);

        private final Random random;
        private final EmbeddedKeyslot keyslot;
        private final boolean isJournaled;
        private final List<PartitionedCache<String, Long>> caches = new ArrayList<>();
        private final List<Map<String, Long>> oldest = new ArrayList<>();
        private final List<String> log = new ArrayList<>();

        /** What each entry is, without a journal; not of those whose last change may or may not have been applied. */
        private final Map<String, Long> known = new HashMap<>();

        private long lastValue;

        RefusedWritesSimulation(long seed) {
            random = new Random(seed);
            isJournaled = seed % 2 == 0;
            keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults()
                    .withPartitions(PARTITIONS)
                    .withProperty("keyslot.metrics", "false")
                    .withSeed(seed));
            for (int process = 0; process < PROCESSES; process++) {
                caches.add(keyslot.cacheManager(process)
                        .createCache(
                                "numbers",
                                new PartitionedConfiguration<String, Long>()
                                        .setMissingPartition(
                                                isJournaled ? MissingPartitionPolicy.MISS : MissingPartitionPolicy.FAIL)
                                        .setMissingPartitionWrites(
                                                isJournaled
                                                        ? MissingPartitionWritePolicy.JOURNAL
                                                        : MissingPartitionWritePolicy.FAIL)));
                oldest.add(new HashMap<>());
            }
            for (int k = 0; k < KEYS; k++) {
                known.put("k" + k, NONE);
            }
        }

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
            if (choice < 12) {
                fault();
            } else if (choice < 20) {
                keyslot.advance(Duration.ofMillis(random.nextInt(700)));
            } else if (choice < 60) {
                change(random.nextInt(PROCESSES), key());
            } else {
                look(random.nextInt(PROCESSES), key());
            }
        }

        private String key() {
            return "k" + random.nextInt(KEYS);
        }

        private void fault() {
            PartitionFaults partition = keyslot.partitions().get(random.nextInt(PARTITIONS));
            switch (random.nextInt(8)) {
                case 0, 1 -> partition.acceptWrites();
                case 2, 3, 4 -> partition.refuseWrites(REFUSALS.get(random.nextInt(REFUSALS.size())));
                case 5 -> partition.dropReplies(1 + random.nextInt(2));
                case 6 -> partition.resetConnections();
                default -> partition.slow(Duration.ofMillis(random.nextInt(30)));
            }
            note("fault: " + keyslot.partitions());
        }

        private void change(int process, String key) {
            PartitionedCache<String, Long> cache = caches.get(process);
            lastValue++;
            long value = lastValue;
            switch (random.nextInt(7)) {
                case 0 -> change(process, key, "remove", NONE, () -> cache.remove(key));
                case 1 -> change(process, key, "removeAll", NONE, () -> cache.removeAll(Set.of(key)));
                case 2 -> change(process, key, "putAll", value, () -> cache.putAll(Map.of(key, value)));
                case 3 ->
                    change(process, key, "getAndPut", value, () -> isRight(process, key, cache.getAndPut(key, value)));
                case 4 ->
                    change(
                            process,
                            key,
                            "invoke",
                            value,
                            () -> isRight(process, key, cache.invoke(key, (entry, arguments) -> {
                                Long before = entry.getValue();
                                entry.setValue(value);
                                return before;
                            })));
                default -> change(process, key, "put", value, () -> cache.put(key, value));
            }
        }

        /** @param after what the entry is if the call is done */
        private void change(int process, String key, String operation, long after, Runnable call) {
            String what = "process %d %s %s, value %d".formatted(process, operation, key, lastValue);
            try {
                call.run();
                note(what + ": returned");
                oldest.get(process).put(key, lastValue);
                known.put(key, after);
            } catch (OutcomeUnknownException e) {
                note(what + ": " + e.getMessage());
                known.remove(key);
            } catch (PartitionUnavailableException | CacheOverloadedException e) {
                note(what + ": " + e.getMessage());
            }
        }

        private void look(int process, String key) {
            PartitionedCache<String, Long> cache = caches.get(process);
            try {
                switch (random.nextInt(4)) {
                    case 0 -> isRight(process, key, cache.getAll(with(key)).get(key));
                    case 1 -> iterate(process, cache.iterator());
                    case 2 -> putIfAbsent(process, key);
                    default -> isRight(process, key, cache.get(key));
                }
            } catch (PartitionUnavailableException | CacheOverloadedException | OutcomeUnknownException e) {
                note("process %d looks for %s: %s".formatted(process, key, e.getMessage()));
            }
        }

        private void putIfAbsent(int process, String key) {
            try {
                boolean isDone = caches.get(process).putIfAbsent(key, 0L);
                note("process %d puts 0 under %s: %s".formatted(process, key, isDone));
                if (isDone) {
                    isRight(process, key, null);
                    known.put(key, 0L);
                }
            } catch (OutcomeUnknownException e) {
                known.remove(key);
                throw e;
            }
        }

        private Set<String> with(String key) {
            return new TreeSet<>(List.of(key, key()));
        }

        private void iterate(int process, Iterator<Cache.Entry<String, Long>> entries) {
            entries.forEachRemaining(entry -> isRight(process, entry.getKey(), entry.getValue()));
        }

        /** A value 0 was put where nothing was. */
        private void isRight(int process, String key, @Nullable Long found) {
            isNotOlder(process, key, found);
            Long expected = isJournaled ? null : known.get(key);
            if (expected != null && expected != (found == null ? NONE : found)) {
                throw new AssertionError("Process %d found %s under %s, where the last change that was done has left %d"
                        .formatted(process, found, key, expected));
            }
        }

        private void isNotOlder(int process, String key, @Nullable Long found) {
            note("process %d finds %s: %s".formatted(process, key, found));
            long bound = oldest.get(process).getOrDefault(key, 0L);
            if (found != null && found != 0 && found < bound) {
                throw new AssertionError("Process %d found %d under %s after it had itself written %d"
                        .formatted(process, found, key, bound));
            }
        }

        private void recover() {
            note("recovery");
            keyslot.partitions()
                    .forEach(
                            partition -> partition.acceptWrites().dropReplies(0).slow(Duration.ZERO));
            keyslot.advance(RECOVERY);
            for (int k = 0; k < KEYS; k++) {
                checkAgreement("k" + k);
            }
        }

        private void checkAgreement(String key) {
            Set<Long> found = new TreeSet<>();
            for (int process = 0; process < PROCESSES; process++) {
                Long value = caches.get(process).get(key);
                isRight(process, key, value);
                found.add(value == null ? -1 : value);
            }
            if (found.size() != 1) {
                throw new AssertionError("Under %s, processes have %s".formatted(key, found));
            }
        }

        private void note(String what) {
            log.add("%6d ms %s".formatted(keyslot.elapsed().toMillis(), what));
        }

        @Override
        public void close() {
            keyslot.close();
        }
    }
}
