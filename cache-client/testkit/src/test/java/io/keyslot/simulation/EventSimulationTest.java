// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.event.EventGapListener;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.testkit.EmbeddedKeyslot;
import io.keyslot.testkit.KeyslotSettings;
import io.keyslot.testkit.PartitionFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many schedules of processes that listen to each other, each from a seed. */
@Tag("thorough")
class EventSimulationTest {
    private static final int SCHEDULES = 15;

    @Test
    void randomSchedules_leaveNoViewBehind() {
        List<EventSimulation> run = new ArrayList<>();

        Schedules.run(SCHEDULES, seed -> {
            EventSimulation simulation = new EventSimulation(seed);
            run.add(simulation);
            return simulation;
        });

        assertThat(run.stream().mapToInt(EventSimulation::heard).sum()).isGreaterThan(Schedules.count(SCHEDULES) * 20);
        assertThat(run.stream().mapToInt(EventSimulation::gaps).sum()).isGreaterThan(Schedules.count(SCHEDULES));
    }

    /**
     * One schedule of several processes that change the entries of one cache and listen to each other, with faults between and during
     * their calls. Each keeps a view of the entries by what it hears, and looks anew at a gap.
     *
     * <ul>
     *   <li>No listener receives a value after another one that was written later than this one was acknowledged.
     *   <li>When all is quiet, each view is what is there: whatever was missed was told as a gap.
     * </ul>
     */
    private static final class EventSimulation implements Schedules.Schedule {
        private static final int PARTITIONS = 2;
        private static final int PROCESSES = 3;
        private static final int KEYS = 3;
        private static final int STEPS = 60;

        /** The slowest line takes 20 s. */
        private static final Duration QUIET = Duration.ofSeconds(25);

        private final Random random;
        private final EmbeddedKeyslot keyslot;
        private final List<RandomFaults> faults = new ArrayList<>();
        private final List<Member> processes = new ArrayList<>();
        private final List<String> log = new ArrayList<>();
        private final List<String> wrong = new ArrayList<>();

        /** By value: when the write was begun, and when it was acknowledged, by the number of the step. */
        private final Map<Long, Integer> begun = new HashMap<>();

        private final Map<Long, Integer> acknowledged = new HashMap<>();
        private int clock;
        private long lastValue;
        private int gaps;

        EventSimulation(long seed) {
            random = new Random(seed);
            keyslot = EmbeddedKeyslot.start(KeyslotSettings.defaults()
                    .withPartitions(PARTITIONS)
                    .withProperty("keyslot.metrics", "false")
                    .withSeed(seed));
            keyslot.partitions()
                    .forEach(partition -> faults.add(new RandomFaults(partition, PROCESSES, random, lost -> {})));
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(new Member(i));
            }
            if (random.nextInt(3) > 0) {
                keyslot.partitions().forEach(partition -> partition.slow(Duration.ofMillis(random.nextInt(8))));
            }
        }

        /** One process and its view of the entries. */
        private final class Member
                implements CacheEntryCreatedListener<String, Long>,
                        CacheEntryUpdatedListener<String, Long>,
                        CacheEntryRemovedListener<String, Long>,
                        EventGapListener {
            private final int number;
            private final PartitionedCache<String, Long> cache;
            private final Map<String, Long> view = new HashMap<>();
            private final Set<String> unsure = new HashSet<>();
            private final Set<Long> heard = new HashSet<>();
            private final Map<String, List<Long>> order = new HashMap<>();
            private final Set<String> heardWhileLooking = new HashSet<>();
            private boolean hasToLook;

            Member(int number) {
                this.number = number;
                this.cache = keyslot.cacheManager(number)
                        .createCache(
                                "prices",
                                new PartitionedConfiguration<String, Long>()
                                        .setFeed(FeedOptions.defaults().withValues(true))
                                        .setEvents(EventScope.FEED)
                                        .setMissingPartition(MissingPartitionPolicy.FAIL));
                cache.registerCacheEntryListener(
                        new MutableCacheEntryListenerConfiguration<>(() -> this, null, false, false));
            }

            @Override
            public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
                events.forEach(event -> hear(event.getKey(), event.getValue()));
            }

            @Override
            public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
                events.forEach(event -> hear(event.getKey(), event.getValue()));
            }

            @Override
            public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Long>> events) {
                events.forEach(event -> hear(event.getKey(), null));
            }

            private void hear(String key, @Nullable Long value) {
                note("process %d hears %s: %s".formatted(number, key, value));
                view.put(key, value);
                heardWhileLooking.add(key);
                unsure.remove(key);
                if (value == null) {
                    return;
                }
                heard.add(value);
                List<Long> before = order.computeIfAbsent(key, first -> new ArrayList<>());
                Integer known = acknowledged.get(value);
                for (long newer : before) {
                    check(
                            known == null || known > Objects.requireNonNull(begun.get(newer)),
                            "process %d hears of %s %d after %d".formatted(number, key, value, newer));
                }
                before.add(value);
            }

            @Override
            public void onGap(EventGap gap) {
                note("process %d: gap of %s".formatted(number, gap.partition()));
                gaps++;
                look();
            }

            /**
             * Looks at all entries anew. What is heard meanwhile, as the call may be in the midst of others, is as new as what is found, or
             * newer.
             */
            private void look() {
                hasToLook = true;
                heardWhileLooking.clear();
                try {
                    Map<String, Long> now = cache.getAll(Set.copyOf(names()));
                    names().stream()
                            .filter(key -> !heardWhileLooking.contains(key))
                            .forEach(key -> view.put(key, now.get(key)));
                    unsure.clear();
                    hasToLook = false;
                    note("process %d looks anew: %s".formatted(number, now));
                } catch (KeyslotException e) {
                    note("process %d cannot look: %s".formatted(number, e.getMessage()));
                }
            }

            void write() {
                String key = names().get(random.nextInt(KEYS));
                lastValue++;
                long value = lastValue;
                begun.put(value, tick());
                int kind = random.nextInt(10);
                note("process %d %s %s %d begins".formatted(number, kind < 7 ? "put" : "remove", key, value));
                try {
                    boolean isStored = write(kind, key, value);
                    if (isStored) {
                        acknowledged.put(value, tick());
                    }
                    note("process %d %s %d: done".formatted(number, key, value));
                } catch (KeyslotException e) {
                    unsure.add(key); // it is not told what became of it
                    note("process %d %s %d: %s"
                            .formatted(number, key, value, e.getClass().getSimpleName()));
                }
            }

            private boolean write(int kind, String key, long value) {
                switch (kind) {
                    case 0, 1, 2, 3 -> cache.put(key, value);
                    case 4 -> cache.putAll(Map.of(key, value));
                    case 5 -> {
                        return cache.replace(key, value);
                    }
                    case 6 ->
                        cache.invoke(key, (entry, arguments) -> {
                            entry.setValue(value);
                            return null;
                        });
                    case 7 -> {
                        cache.remove(key);
                        return false;
                    }
                    case 8 -> {
                        cache.getAndRemove(key);
                        return false;
                    }
                    default -> {
                        cache.removeAll(Set.of(key));
                        return false;
                    }
                }
                return true;
            }

            void checkView() {
                for (String key : names()) {
                    Long now = cache.get(key);
                    check(
                            unsure.contains(key) || Objects.equals(now, view.get(key)),
                            "process %d has %s as %s, there is %s".formatted(number, key, view.get(key), now));
                }
            }
        }

        private static List<String> names() {
            return Arrays.asList("k0", "k1", "k2");
        }

        private int tick() {
            clock++;
            return clock;
        }

        @Override
        public List<String> log() {
            return log;
        }

        /** Returns how many gaps were told. */
        int gaps() {
            return gaps;
        }

        /** Returns how many values were heard. */
        int heard() {
            return processes.stream().mapToInt(process -> process.heard.size()).sum();
        }

        @Override
        public void run() {
            processes.forEach(Member::look);
            boolean hasFaults = random.nextInt(4) > 0;
            for (int i = 0; i < STEPS; i++) {
                step(hasFaults);
            }
            faults.forEach(RandomFaults::heal);
            keyslot.advance(QUIET);
            processes.stream().filter(process -> process.hasToLook).forEach(Member::look);
            keyslot.advance(QUIET);
            processes.forEach(Member::checkView);
            if (!wrong.isEmpty()) {
                throw new AssertionError(String.join("; ", wrong));
            }
        }

        private void step(boolean hasFaults) {
            int choice = random.nextInt(100);
            if (choice < 8 && hasFaults) {
                fault();
            } else if (choice < 35) {
                keyslot.advance(Duration.ofMillis(random.nextInt(choice < 12 ? 5_000 : 60)));
            } else {
                List<Runnable> calls = new ArrayList<>();
                int number = 1 + random.nextInt(4);
                for (int i = 0; i < number; i++) {
                    calls.add(call(hasFaults));
                }
                keyslot.interleave(calls);
            }
        }

        private Runnable call(boolean hasFaults) {
            if (hasFaults && random.nextInt(10) == 0) {
                return this::fault;
            }
            Member process = processes.get(random.nextInt(PROCESSES));
            return process.hasToLook ? process::look : process::write;
        }

        private void fault() {
            int which = random.nextInt(PARTITIONS);
            faults.get(which).next();
            PartitionFaults partition = keyslot.partitions().get(which);
            note("fault: " + partition);
        }

        private void note(String what) {
            log.add("%6d ms  %s".formatted(keyslot.elapsed().toMillis(), what));
        }

        /** Whoever calls a listener does not tell us what it throws. */
        private void check(boolean holds, String otherwise) {
            if (!holds) {
                note("WRONG: " + otherwise);
                wrong.add(otherwise);
            }
        }

        @Override
        public void close() {
            keyslot.close();
        }
    }
}
