// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.benchmarks.move.Tally.Kind;
import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupEntries;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of the application: 80 % reads, 15 % puts, and 5 % transactions of two entries. Checks that nothing is lost
 * or stale: an entry or group that only this thread writes has the last value that it wrote, and an entry that no
 * thread changes keeps its value.
 */
final class Load implements Runnable {
    /** The number of entries, and of groups, of one thread. */
    static final int OWN = 5_000;

    private static final int OWN_GROUPS = 200;

    private final MoveTrial.Size size;
    private final int client;
    private final int thread;
    private final LoadCaches caches;
    private final Tally counter;
    private final Random random;
    private final long[] written = new long[OWN];
    private final long[] together = new long[OWN_GROUPS];
    private final boolean[] isDoubtful = new boolean[OWN];
    private final boolean[] isDoubtfulGroup = new boolean[OWN_GROUPS];
    private volatile boolean isOver;

    Load(MoveTrial.Size size, int client, int thread, LoadCaches caches, Tally counter) {
        this.size = size;
        this.client = client;
        this.thread = thread;
        this.caches = caches;
        this.counter = counter;
        this.random = new Random(31L * client + thread);
    }

    void end() {
        isOver = true;
    }

    /** Calls until the end, and then reads all that it has written again. */
    @Override
    public void run() {
        long begin = System.nanoTime();
        for (long calls = 1; !isOver; calls++) {
            one(random.nextInt(1_000));
            keepPace(begin, calls);
        }
        for (int i = 0; i < OWN; i++) {
            readOwn(i);
        }
        for (int i = 0; i < OWN_GROUPS; i++) {
            readGroup(i);
        }
    }

    /** Catches up after late calls. */
    private void keepPace(long begin, long calls) {
        if (size.callsPerSecond() > 0) {
            long threads = (long) size.clients() * size.threads();
            long left = begin + calls * TimeUnit.SECONDS.toNanos(threads) / size.callsPerSecond() - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(left);
            }
        }
    }

    private void one(int chance) {
        if (chance < 400) {
            readOwn(random.nextInt(OWN));
        } else if (chance < 650) {
            int number = random.nextInt(size.entries());
            check(LoadCaches.restKey(number), read(LoadCaches.restKey(number)), number);
        } else if (chance < 800) {
            readGroup(random.nextInt(OWN_GROUPS));
        } else if (chance < 950) {
            write(random.nextInt(OWN));
        } else {
            writeTogether(random.nextInt(OWN_GROUPS));
        }
    }

    private static String ownKey(int client, int thread, int number) {
        return "own%d-%d-%d".formatted(client, thread, number);
    }

    private EntityKey root(int number) {
        return EntityKey.of(LoadCaches.CUSTOMER, "%d-%d-%d".formatted(client, thread, number));
    }

    private @Nullable Long read(String key) {
        return counter.call(Kind.READ, LoadCaches.slotOf(key), key, () -> {
            String found = caches.items().get(key);
            return found == null ? null : LoadCaches.number(found);
        });
    }

    private void check(String key, @Nullable Long found, long wanted) {
        if (found == null && wanted > 0) {
            counter.complain("lost", key);
        } else if (found != null && found != wanted) {
            counter.complain("stale", "%s is %d, must be %d".formatted(key, found, wanted));
        }
    }

    private void readOwn(int number) {
        String key = ownKey(client, thread, number);
        Long found = read(key);
        if (!isDoubtful[number]) {
            check(key, found, written[number]);
        }
    }

    private void readGroup(int number) {
        EntityKey key = LoadCaches.account(root(number), random.nextBoolean() ? "a" : "b");
        Long found = counter.call(
                Kind.READ,
                LoadCaches.slotOf(key),
                key.text(),
                () -> caches.accounts().get(key));
        if (!isDoubtfulGroup[number]) {
            check(key.text(), found, together[number]);
        }
    }

    private void write(int number) {
        String key = ownKey(client, thread, number);
        long next = written[number] + 1;
        Boolean done = counter.call(Kind.WRITE, LoadCaches.slotOf(key), key, () -> {
            caches.items().put(key, caches.value(next));
            return true;
        });
        isDoubtful[number] = done == null;
        written[number] = next;
    }

    private void writeTogether(int number) {
        EntityKey root = root(number);
        CacheGroup group = caches.manager().group(root);
        long next = together[number] + 1;
        Boolean done = counter.call(
                Kind.WRITE,
                group.slot(),
                root.text(),
                () -> group.transact(work -> {
                    GroupEntries<EntityKey, Long> entries = work.entries(caches.accounts());
                    entries.put(LoadCaches.account(root, "a"), next);
                    entries.put(LoadCaches.account(root, "b"), next);
                    return true;
                }));
        isDoubtfulGroup[number] = done == null;
        together[number] = next;
    }
}
