// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.benchmarks.move.Tally.Kind;
import io.keyslot.benchmarks.move.Tally.Sort;
import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupEntries;
import io.keyslot.slot.SlotSet;
import java.util.BitSet;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.cache.CacheException;
import javax.cache.processor.EntryProcessor;
import org.jspecify.annotations.Nullable;

/**
 * One process of an application. Of a hundred calls 80 read, 15 put and 5 count; of each of these a part is about groups.
 *
 * <p>Nothing may be lost or stale: an entry that one thread alone writes has what that thread has written last; two entries of a group
 * that are always changed together are the same; an entry that another process writes never goes back; an entry that nobody
 * changes is what it was. Counted is as often as was counted.
 */
final class Load {
    /** How many entries, and how many groups, belong to one thread. */
    static final int OWN = 5_000;

    private static final int OWN_GROUPS = 200;

    private static final EntryProcessor<String, String, @Nullable Void> COUNT = (entry, arguments) -> {
        LoadCaches caches = (LoadCaches) arguments[0];
        entry.setValue(caches.value(LoadCaches.number(entry.getValue()) + 1));
        return null;
    };

    private final LoadOptions options;
    private final int jvm;
    private final LoadCaches caches;
    private final Tally tally;
    private volatile Phase phase = new Phase("warm-up", new BitSet());
    private volatile boolean isOver;

    /** What is going on, and the slots that are moving. */
    private record Phase(String name, BitSet moving) {}

    /** @param jvm which one of those of the options this is */
    Load(LoadOptions options, int jvm, LoadCaches caches, Tally tally) {
        this.options = options;
        this.jvm = jvm;
        this.caches = caches;
        this.tally = tally;
    }

    void phase(String name, SlotSet moving) {
        BitSet slots = new BitSet();
        moving.stream().forEach(slots::set);
        phase = new Phase(name, slots);
    }

    void end() {
        isOver = true;
    }

    static String ownKey(int jvm, int thread, int number) {
        return "own%d-%d-%d".formatted(jvm, thread, number);
    }

    /** The work of one thread, until the end, with a last look at all that it has written. */
    final class Worker implements Runnable {
        private final int thread;
        private final Random random;
        private final long[] written = new long[OWN];
        private final long[] seen = new long[OWN];
        private final long[] together = new long[OWN_GROUPS];
        private final boolean[] isDoubtful = new boolean[OWN];
        private final boolean[] isDoubtfulGroup = new boolean[OWN_GROUPS];
        private final CacheGroup[] groups = new CacheGroup[OWN_GROUPS];
        private final long begin = System.nanoTime();
        private long calls;

        Worker(int thread) {
            this.thread = thread;
            this.random = new Random(31L * jvm + thread);
            for (int i = 0; i < OWN_GROUPS; i++) {
                groups[i] = caches.manager().group(LoadCaches.root(jvm, thread, i));
            }
        }

        @Override
        public void run() {
            while (!isOver) {
                one();
                calls++;
                keepPace();
            }
            for (int i = 0; i < OWN; i++) {
                readOwn(i);
            }
            for (int i = 0; i < OWN_GROUPS; i++) {
                readGroup(i);
            }
        }

        /** Calls that are late are made up for. */
        private void keepPace() {
            if (options.callsPerSecond() > 0) {
                long due = begin + calls * TimeUnit.SECONDS.toNanos(1) * options.threads() / options.callsPerSecond();
                long left = due - System.nanoTime();
                if (left > 0) {
                    LockSupport.parkNanos(left);
                }
            }
        }

        private void one() {
            int chance = random.nextInt(1_000);
            if (chance < 300) {
                readOwn(random.nextInt(OWN));
            } else if (chance < 550) {
                readRest(random.nextInt(options.entries()));
            } else if (chance < 700) {
                readOther(random.nextInt(OWN));
            } else if (chance < 800) {
                readGroup(random.nextInt(OWN_GROUPS));
            } else if (chance < 920) {
                write(random.nextInt(OWN));
            } else if (chance < 950) {
                writeTogether(random.nextInt(OWN_GROUPS));
            } else if (chance < 980) {
                count(random.nextInt(LoadCaches.COUNTERS));
            } else {
                countInGroup(random.nextInt(LoadCaches.COUNTERS));
            }
        }

        private void readOwn(int number) {
            String key = ownKey(jvm, thread, number);
            String found = timed(
                    Kind.READ, LoadCaches.slotOf(key), key, () -> caches.items().get(key));
            if (found == null && written[number] > 0) {
                tally.complain("lost", key);
            } else if (found != null && !isDoubtful[number] && LoadCaches.number(found) != written[number]) {
                tally.complain(
                        "stale", "%s is %d, must be %d".formatted(key, LoadCaches.number(found), written[number]));
            }
        }

        private void readRest(int number) {
            String key = LoadCaches.restKey(number);
            String found = timed(
                    Kind.READ, LoadCaches.slotOf(key), key, () -> caches.items().get(key));
            if (found == null) {
                tally.complain("lost", key);
            } else if (LoadCaches.number(found) != number) {
                tally.complain("stale", key + " is " + LoadCaches.number(found));
            }
        }

        /** What a thread of another process writes. */
        private void readOther(int number) {
            String key = ownKey((jvm + 1) % options.jvms(), thread, number);
            String found = timed(
                    Kind.READ, LoadCaches.slotOf(key), key, () -> caches.items().get(key));
            long now = found == null ? 0 : LoadCaches.number(found);
            if (now < seen[number]) {
                tally.complain(found == null ? "lost" : "stale", "%s is %d, was %d".formatted(key, now, seen[number]));
            }
            seen[number] = now;
        }

        private void readGroup(int number) {
            EntityKey root = LoadCaches.root(jvm, thread, number);
            EntityKey key = LoadCaches.account(root, random.nextBoolean() ? "a" : "b");
            Long found = timed(
                    Kind.READ,
                    groups[number].slot(),
                    key.text(),
                    () -> caches.accounts().get(key));
            long now = found == null ? 0 : found;
            if (now != together[number] && !isDoubtfulGroup[number]) {
                tally.complain(
                        found == null ? "lost" : "stale", "%s is %d, must be %d".formatted(key, now, together[number]));
            }
        }

        private void write(int number) {
            String key = ownKey(jvm, thread, number);
            long next = written[number] + 1;
            Boolean done = timed(Kind.WRITE, LoadCaches.slotOf(key), key, () -> {
                caches.items().put(key, caches.value(next));
                return true;
            });
            isDoubtful[number] = done == null;
            written[number] = next;
        }

        private void writeTogether(int number) {
            EntityKey root = LoadCaches.root(jvm, thread, number);
            long next = together[number] + 1;
            Boolean done = timed(
                    Kind.WRITE,
                    groups[number].slot(),
                    root.text(),
                    () -> groups[number].transact(work -> {
                        GroupEntries<EntityKey, Long> entries = work.entries(caches.accounts());
                        entries.put(LoadCaches.account(root, "a"), next);
                        entries.put(LoadCaches.account(root, "b"), next);
                        return true;
                    }));
            isDoubtfulGroup[number] = done == null;
            together[number] = next;
        }

        private void count(int number) {
            String key = LoadCaches.counterKey(number);
            counted("invokes", timed(Kind.WRITE, LoadCaches.slotOf(key), key, () -> {
                Void unused = caches.items().invoke(key, COUNT, caches);
                return true;
            }));
        }

        private void countInGroup(int number) {
            CacheGroup group = caches.manager().group(LoadCaches.countedRoot(number));
            counted("increments", timed(Kind.WRITE, group.slot(), "a counter", () -> {
                long unused = group.counter("visits").incrementAndGet();
                return true;
            }));
        }

        private void counted(String name, @Nullable Boolean done) {
            tally.add(done == null ? name + ".unknown" : name, 1);
        }

        private <T> @Nullable T timed(Kind kind, int slot, String what, Call<T> call) {
            Phase now = phase;
            boolean isMoving = now.moving().get(slot);
            long from = System.nanoTime();
            try {
                return call.make();
            } catch (CacheException e) {
                tally.complain("failed", what + ": " + e);
                return null;
            } finally {
                tally.call(new Sort(now.name(), isMoving, kind), System.nanoTime() - from);
            }
        }
    }

    /** A call of the application. */
    @FunctionalInterface
    private interface Call<T> {
        @Nullable
        T make();
    }
}
