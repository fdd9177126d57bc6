// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How often keys were counted, of a stream of any number of keys, in bounded memory: the sketch "space saving" of Metwally,
 * Agrawal and El Abbadi (2005).
 *
 * <p>It has a bounded number of counters. A key without one takes the counter of the key that was counted least, and what that
 * had stays in it as its error. So, of what was added and not halved away since:
 *
 * <ul>
 *   <li>a key is never counted too low, but for half a read that is forgotten; it is counted too high by its error at most;
 *   <li>no error is larger than all that was added, divided by the number of counters;
 *   <li>a key with a larger part than that of all that was added has a counter.
 * </ul>
 *
 * <p>For one thread at a time, but for {@link #sure}, which any thread may ask.
 *
 * @param <T> the type of the keys, which do not change
 */
final class SpaceSaving<T> {
    /** What counts less than this is forgotten. */
    private static final double LEAST = 0.5;

    private final int most;
    private final ConcurrentMap<T, Counter<T>> byKey = new ConcurrentHashMap<>();
    private final List<Counter<T>> heap = new ArrayList<>(); // who was counted least is the first
    private double total;

    /** @param most how many keys are counted at a time */
    SpaceSaving(int most) {
        this.most = most;
    }

    /**
     * What is known of a key.
     *
     * @param count how often it was added
     * @param error by how much that is too high at most
     * @param variance of the count, if each that was added stands for several of which it was chosen by chance
     */
    record Counted<T>(T key, double count, double error, double variance) {}

    private static final class Counter<T> {
        private final T key;
        private double count;
        private double variance;
        private volatile double sure; // of the count: the rest is the error
        private int at;

        Counter(T key, double count, double variance) {
            this.key = key;
            this.count = count;
            this.variance = variance;
        }

        /** Something that was chosen by chance, one of so many, stands for as many. */
        void add(int weight) {
            double before = sure;
            count += weight;
            sure = before + weight;
            variance += weight * (weight - 1.0);
        }

        void halve() {
            double before = sure;
            count /= 2;
            sure = before / 2;
            variance /= 4;
        }

        Counted<T> counted() {
            return new Counted<>(key, count, count - sure, variance);
        }
    }

    /** Counts a key so many times. */
    void add(T key, int weight) {
        total += weight;
        Counter<T> known = byKey.get(key);
        if (known == null) {
            known = take(key);
        }
        known.add(weight);
        down(known.at);
    }

    private Counter<T> take(T key) {
        boolean isNew = heap.size() < most;
        Counter<T> least = isNew ? null : heap.get(0);
        Counter<T> taken = least == null ? new Counter<>(key, 0, 0) : new Counter<>(key, least.count, least.variance);
        if (least == null) {
            heap.add(taken);
            put(heap.size() - 1, taken);
            up(taken.at);
        } else {
            byKey.remove(least.key);
            put(0, taken);
        }
        byKey.put(key, taken);
        return taken;
    }

    /** Lets what was added so far count half. */
    void halve() {
        total /= 2;
        heap.forEach(Counter::halve); // who was least still is
        while (!heap.isEmpty() && heap.get(0).count < LEAST) {
            byKey.remove(heap.get(0).key);
            Counter<T> last = heap.remove(heap.size() - 1);
            if (!heap.isEmpty()) {
                put(0, last);
                down(0);
            }
        }
    }

    /** Returns how much was added. */
    double total() {
        return total;
    }

    int size() {
        return heap.size();
    }

    /** Returns how often a key was surely counted. */
    double sure(T key) {
        Counter<T> known = byKey.get(key);
        return known == null ? 0 : known.sure;
    }

    /** Returns how many keys were surely counted so often. */
    long sureOf(double least) {
        return heap.stream().filter(counter -> counter.sure >= least).count();
    }

    /** Returns what is known of the key that was counted most, null if there is none. */
    @Nullable
    Counted<T> first() {
        return sorted(1).findFirst().orElse(null);
    }

    /** Returns so many keys that were counted most, in this order. */
    List<Counted<T>> top(int wanted) {
        return sorted(wanted).toList();
    }

    private Stream<Counted<T>> sorted(int wanted) {
        return heap.stream()
                .map(Counter::counted)
                .sorted(Comparator.<Counted<T>>comparingDouble(Counted::count).reversed())
                .limit(wanted);
    }

    private void up(int from) {
        int at = from;
        while (at > 0 && heap.get(at).count < heap.get((at - 1) / 2).count) {
            swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    private void down(int from) {
        int at = from;
        for (int next = lesser(at); next >= 0; next = lesser(at)) {
            swap(at, next);
            at = next;
        }
    }

    /** Returns the lesser one of those below, if it is less than this one, and else a negative number. */
    private int lesser(int at) {
        int left = 2 * at + 1;
        int right = left + 1;
        int least = at;
        if (left < heap.size() && heap.get(left).count < heap.get(least).count) {
            least = left;
        }
        if (right < heap.size() && heap.get(right).count < heap.get(least).count) {
            least = right;
        }
        return least == at ? -1 : least;
    }

    private void swap(int one, int other) {
        Counter<T> moved = heap.get(one);
        put(one, heap.get(other));
        put(other, moved);
    }

    private void put(int at, Counter<T> counter) {
        heap.set(at, counter);
        counter.at = at;
    }
}
