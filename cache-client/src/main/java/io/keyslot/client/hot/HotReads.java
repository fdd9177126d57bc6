// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import io.keyslot.cache.hot.HotKey;
import io.keyslot.cache.hot.HotKeys;
import io.keyslot.client.hot.SpaceSaving.Counted;
import io.keyslot.client.statistics.HotCounts;
import io.keyslot.client.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which keys of one cache this process reads most. What is counted is never worth a read: nothing waits for it, nothing fails
 * because of it. Safe for use by any number of threads.
 *
 * <ul>
 *   <li>Reads are chosen by {@link ReadSample}, and counted by {@link SpaceSaving}. One that finds another thread counting is
 *       not counted.
 *   <li>All counts are halved each {@link #HALF_LIFE}, by the first read that is counted after it: what was hot yesterday is
 *       not today.
 *   <li>A key is hot if it was surely counted {@value #HOT} times: a copy of an entry costs its partition about as much as four
 *       reads of it do. It stays hot while half a count is left, so that it does not come and go.
 * </ul>
 *
 * @param <K> the type of the keys
 */
public final class HotReads<K> implements HotCounts {
    /** So many keys are counted at a time. */
    static final int MOST_KEYS = 1_024;

    /** After this, a read counts half. */
    static final Duration HALF_LIFE = Duration.ofSeconds(30);

    /** A key is hot after so many reads that were counted. */
    static final int HOT = 4;

    private static final long HALF = HALF_LIFE.toNanos();
    private static final double STAYS = 0.5;
    private static final int MOST_HALVINGS = 64;

    private final Function<K, Object> places;
    private final Ticker ticker;
    private final ReadSample sample;
    private final SpaceSaving<Object> counts = new SpaceSaving<>(MOST_KEYS); // guarded by lock, but for what is sure
    private final Lock lock = new ReentrantLock();
    private volatile Runnable halved = () -> {};
    private long halvedAt; // guarded by lock
    private double before; // nanoseconds, halved with the counts; guarded by lock

    /**
     * Creates a sketch that has counted nothing.
     *
     * @param places what stands for a key and does not change; it may throw what a read of the key throws too
     * @param all of the manager
     */
    public HotReads(Function<K, Object> places, Ticker ticker, SampleOfAll all) {
        this.places = places;
        this.ticker = ticker;
        this.halvedAt = ticker.nanos();
        this.sample = new ReadSample(all, halvedAt);
    }

    /** Runs something soon after counts are halved, on a thread that reads. To be called once, before the first read. */
    public void whenHalved(Runnable task) {
        halved = task;
    }

    /** A key is about to be read. */
    public void read(K key) {
        int weight = sample.chosen();
        if (weight > 0) {
            count(places.apply(key), weight);
        }
    }

    private void count(Object place, int weight) {
        if (!lock.tryLock()) {
            return;
        }
        boolean isHalved;
        try {
            long now = ticker.nanos();
            isHalved = settle(now);
            counts.add(place, weight);
            sample.counted(now);
        } finally {
            lock.unlock();
        }
        if (isHalved) {
            halved.run();
        }
    }

    /** Halves what is due; to be called while holding the lock. */
    private boolean settle(long now) {
        long due = (now - halvedAt) / HALF;
        if (due <= 0) {
            return false;
        }
        for (long i = 0; i < Math.min(due, MOST_HALVINGS); i++) {
            counts.halve();
            before = (before + HALF) / 2;
        }
        halvedAt += due * HALF;
        return true;
    }

    /** Returns whether what stands for a key is hot. */
    public boolean isHot(Object place) {
        return counts.sure(place) >= HOT * sample.oneIn();
    }

    /** Returns whether what was hot has not become cold. */
    public boolean isStillHot(Object place) {
        return counts.sure(place) >= STAYS;
    }

    /**
     * Returns the keys that were read most.
     *
     * @param keyOf the key that something stands for, null if that cannot be said
     */
    public <T> HotKeys<T> top(int most, Function<Object, @Nullable T> keyOf) {
        List<Counted<Object>> top;
        double reads;
        double over;
        lock.lock();
        try {
            long now = ticker.nanos();
            settle(now);
            top = counts.top(most);
            reads = counts.total();
            over = before + (now - halvedAt);
        } finally {
            lock.unlock();
        }
        List<HotKey<T>> keys = new ArrayList<>(top.size());
        for (Counted<Object> counted : top) {
            T key = keyOf.apply(counted.key());
            if (key != null) {
                keys.add(new HotKey<>(key, Math.round(counted.count()), errorOf(counted)));
            }
        }
        return new HotKeys<>(keys, Math.round(reads), Duration.ofNanos((long) over));
    }

    /** Twice the standard deviation is not exceeded in 19 of 20 cases; and half a read is lost by rounding. */
    private static long errorOf(Counted<Object> counted) {
        return (long) Math.ceil(counted.error() + 2 * Math.sqrt(counted.variance()));
    }

    @Override
    public double hottestShare() {
        lock.lock();
        try {
            settle(ticker.nanos());
            Counted<Object> first = counts.first();
            return first == null ? 0 : Math.min(1, (first.count() - first.error()) / counts.total());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long hotKeys() {
        lock.lock();
        try {
            settle(ticker.nanos());
            return counts.sureOf(HOT * (double) sample.oneIn());
        } finally {
            lock.unlock();
        }
    }
}
