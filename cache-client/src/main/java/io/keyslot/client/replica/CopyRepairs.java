// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.time.Timing;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entries of one cache whose copies may differ from their home, because it had not answered: repaired in the background,
 * again and again, until it has.
 *
 * <ul>
 *   <li>More than {@value #MOST_KEYS} entries are not remembered. The copies of one more may differ until they expire or it
 *       is written again; this is counted, and logged once until there is room again.
 *   <li>This process reads no copies of what waits: another one may copy what its home still has, and should not.
 *   <li>The pause is random, half of it at least, up to 100 ms, doubled with each vain round to up to 2 s.
 *   <li>Safe for use by several threads. Nothing here throws or blocks.
 * </ul>
 */
final class CopyRepairs {
    static final int MOST_KEYS = 10_000;

    private static final int MOST_KEYS_OF_A_ROUND = 100;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final int MOST_DOUBLINGS = 4;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(CopyRepairs.class);

    private final String cacheName;
    private final Timing timing;
    private final CopyObserver observer;
    private final Function<EncodedKey, CompletableFuture<Boolean>> repair;

    /** The number of each key's last addition. Guarded by this, as the others. */
    private final Map<EncodedKey, Long> waiting = new LinkedHashMap<>();

    /** Whether anything waits; written while holding this. */
    private volatile boolean isAnyWaiting;

    private long latest;
    private int vainRounds;
    private boolean planned;
    private boolean saidFull;

    /**
     * Creates repairs without work.
     *
     * @param repair returns whether the home of the entry has answered, so that nothing is left to do
     */
    CopyRepairs(
            String cacheName,
            Timing timing,
            CopyObserver observer,
            Function<EncodedKey, CompletableFuture<Boolean>> repair) {
        this.cacheName = cacheName;
        this.timing = timing;
        this.observer = observer;
        this.repair = repair;
    }

    /** Adds entries. */
    void later(List<EncodedKey> keys) {
        synchronized (this) {
            keys.forEach(this::add);
        }
        plan();
    }

    private synchronized void add(EncodedKey key) {
        waiting.remove(key); // a key that is added again goes to the end
        if (waiting.size() < MOST_KEYS) {
            latest++;
            waiting.put(key, latest);
            isAnyWaiting = true;
            return;
        }
        observer.onOverflow();
        if (!saidFull) {
            saidFull = true;
            LOG.warn(
                    "Cache {}: {} entries wait until their partitions answer and their copies are repaired;"
                            + " those of more may be out of date until they expire",
                    cacheName,
                    MOST_KEYS);
        }
    }

    private synchronized void plan() {
        if (!planned && !waiting.isEmpty()) {
            planned = timing.schedule(this::round, pauseNanos()).isPresent();
        }
    }

    private long pauseNanos() {
        Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(vainRounds, MOST_DOUBLINGS + 1));
        Duration half = (doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE).dividedBy(2);
        return half.toNanos() + timing.upTo(half);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it never fails
    private void round() {
        Map<EncodedKey, Long> some = next();
        List<EncodedKey> keys = List.copyOf(some.keySet());
        Together.each(keys, repair).thenAccept(repaired -> over(some, keys, repaired));
    }

    private synchronized Map<EncodedKey, Long> next() {
        Map<EncodedKey, Long> some = new LinkedHashMap<>();
        waiting.entrySet().stream()
                .limit(MOST_KEYS_OF_A_ROUND)
                .forEach(each -> some.put(each.getKey(), each.getValue()));
        return some;
    }

    private void over(Map<EncodedKey, Long> numbers, List<EncodedKey> keys, List<Boolean> repaired) {
        int done = 0;
        for (int i = 0; i < keys.size(); i++) {
            EncodedKey key = keys.get(i);
            if (remove(key, numbers.getOrDefault(key, 0L), repaired.get(i))) {
                observer.onRepaired();
                done++;
            }
        }
        planAgain(done > 0);
    }

    /** Removes an entry that was repaired and not added again since; one that was not goes to the end. */
    private synchronized boolean remove(EncodedKey key, long number, boolean isRepaired) {
        boolean isLatest = waiting.remove(key, number);
        if (isLatest && !isRepaired) {
            waiting.put(key, number);
        }
        isAnyWaiting = !waiting.isEmpty();
        return isLatest && isRepaired;
    }

    /** Returns whether copies of the entry may be out of date, whoever has put them there. */
    boolean isWaiting(EncodedKey key) {
        return isAnyWaiting && waits(key);
    }

    private synchronized boolean waits(EncodedKey key) {
        return waiting.containsKey(key);
    }

    private synchronized void planAgain(boolean progress) {
        planned = false;
        vainRounds = progress ? 0 : vainRounds + 1;
        saidFull = saidFull && waiting.size() >= MOST_KEYS;
        plan();
    }

    /** Returns how many entries wait. */
    synchronized int size() {
        return waiting.size();
    }
}
