// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.client.concurrent.Timing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The queue of changes to write: the last change of each key, in a limited number of places.
 * <ul>
 * <li>A key has its place from before the cache is changed until its last change is written or given up. So an
 * acknowledged change always has a place.
 * <li>Batches are taken one by one, after the last one is {@linkplain #settle settled}. So no change overtakes an
 * earlier one of its key.
 * <li>A change that has failed is taken alone, alternating with new changes: one that cannot be written makes no other
 * change fail again, nor wait for longer than one attempt.
 * <li>While a call waits for a place, new changes are due at once.
 * </ul>
 *
 * <p>Thread-safe; its lock is taken last.
 */
final class ChangeQueue<K, V> {
    /** The longest pause of a key after its first failed write; it doubles with each further failure. */
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** The smallest number of failures with the longest pause. */
    private static final int LONGEST_PAUSE_FROM = 10;

    private final WriteBehindOptions options;
    private final Timing timing;

    private final Map<K, KeyState<K, V>> states = new HashMap<>();
    private final Set<KeyState<K, V>> fresh = new LinkedHashSet<>(); // due in this order
    private final PriorityQueue<KeyState<K, V>> failed =
            new PriorityQueue<>((one, other) -> Long.signum(one.due - other.due));
    private final Deque<PlaceRequest<K>> requests = new ArrayDeque<>();
    private final CompletableFuture<Boolean> drained = new CompletableFuture<>();
    private boolean tookFailed;
    private boolean ended;

    ChangeQueue(WriteBehindOptions options, Timing timing) {
        this.options = options;
        this.timing = timing;
    }

    /** Requests places. The caller must give back or fill each place that it gets. */
    synchronized PlaceRequest<K> request(List<K> keys) {
        PlaceRequest<K> request = new PlaceRequest<>(keys);
        int places = placesFor(request);
        if (ended) {
            request.granted().complete(false);
        } else if (places == 0 || (requests.isEmpty() && isRoomFor(places))) { // a key with a place never waits
            grant(request);
        } else {
            requests.add(request);
        }
        return request;
    }

    synchronized boolean withdraw(PlaceRequest<K> request) {
        if (requests.remove(request)) {
            request.granted().complete(false);
            grantAll(); // those behind it may need fewer places
        }
        return request.granted().getNow(false);
    }

    private int placesFor(PlaceRequest<K> request) {
        return (int)
                request.keys().stream().filter(key -> !states.containsKey(key)).count();
    }

    private boolean isRoomFor(int places) {
        return states.size() + places <= options.queue();
    }

    private void grant(PlaceRequest<K> request) {
        request.keys().forEach(key -> states.computeIfAbsent(key, KeyState::new).calls++);
        request.granted().complete(true);
    }

    private void grantAll() {
        for (PlaceRequest<K> next = requests.peek();
                next != null && isRoomFor(placesFor(next));
                next = requests.peek()) {
            requests.remove();
            grant(next);
        }
    }

    /** Queues the change of a call with a place; returns false if the queue was given up meanwhile. */
    synchronized boolean fill(K key, QueuedChange<V> queued) {
        KeyState<K, V> state = states.get(key);
        if (state == null) {
            return false;
        }
        state.calls--;
        if (state.waiting == null) {
            state.due = ended ? now() : now() + options.delay().toNanos();
            fresh.add(state);
        } else {
            queued.replace(state.waiting);
        }
        state.waiting = queued;
        return true;
    }

    synchronized void giveBack(K key) {
        KeyState<K, V> state = states.get(key);
        if (state != null) {
            state.calls--;
            removeIfIdle(state);
            grantAll();
        }
    }

    private void removeIfIdle(KeyState<K, V> state) {
        if (state.isIdle()) {
            states.remove(state.key);
        }
        if (ended && states.isEmpty()) {
            drained.complete(true);
        }
    }

    /** Returns the last change of a key that may not be written yet. */
    synchronized Optional<PendingChange<V>> pending(K key) {
        return Optional.ofNullable(states.get(key)).flatMap(KeyState::last).map(QueuedChange::change);
    }

    /** Takes due changes that can be written together; null if nothing is due. */
    synchronized @Nullable Batch<K, V> take() {
        KeyState<K, V> failedFirst = failed.peek();
        boolean isFailedDue = failedFirst != null && isOver(failedFirst.due);
        boolean isFreshDue = !fresh.isEmpty() && isFreshDue(fresh.iterator().next());
        tookFailed = isFailedDue && (!isFreshDue || !tookFailed);
        if (tookFailed) {
            return batch(List.of(failed.remove()));
        }
        return isFreshDue ? batch(takeFresh()) : null;
    }

    private List<KeyState<K, V>> takeFresh() {
        List<KeyState<K, V>> taken = new ArrayList<>();
        Boolean deletes = null;
        for (Iterator<KeyState<K, V>> rest = fresh.iterator(); rest.hasNext() && taken.size() < options.batch(); ) {
            KeyState<K, V> state = rest.next();
            if (!isFreshDue(state)) {
                break;
            }
            boolean isDelete = state.last().orElseThrow().change().isDelete();
            deletes = deletes == null ? isDelete : deletes;
            if (deletes == isDelete) {
                rest.remove();
                taken.add(state);
            }
        }
        return taken;
    }

    private Batch<K, V> batch(List<KeyState<K, V>> taken) {
        Map<K, PendingChange<V>> changes = new LinkedHashMap<>();
        for (KeyState<K, V> state : taken) {
            state.takeUnderWay();
            changes.put(state.key, state.last().orElseThrow().change());
        }
        return new Batch<>(taken, changes);
    }

    private boolean isFreshDue(KeyState<K, V> state) {
        return !requests.isEmpty() || isOver(state.due);
    }

    /** Returns the time until a change is due, zero or less if one is due now; empty if no change waits. */
    synchronized OptionalLong nanosUntilDue() {
        KeyState<K, V> firstFailed = failed.peek();
        OptionalLong ofFailed = firstFailed == null ? OptionalLong.empty() : OptionalLong.of(firstFailed.due - now());
        if (fresh.isEmpty()) {
            return ofFailed;
        }
        KeyState<K, V> first = fresh.iterator().next();
        long ofFresh = isFreshDue(first) ? 0 : first.due - now();
        return OptionalLong.of(Math.min(ofFresh, ofFailed.orElse(ofFresh)));
    }

    /** Returns whether no other change of the key is waiting behind the one that is being written. */
    synchronized boolean isLast(K key) {
        KeyState<K, V> state = states.get(key);
        return state == null || state.waiting == null;
    }

    synchronized Settled<K> settle(Batch<K, V> batch, Set<K> notWritten) {
        int written = 0;
        int retried = 0;
        int dropped = 0;
        Set<K> outdated = new LinkedHashSet<>();
        for (KeyState<K, V> state : batch.states()) {
            QueuedChange<V> done = state.underWay;
            state.underWay = null;
            if (done == null) {
                continue; // given up meanwhile
            }
            if (!notWritten.contains(state.key)) {
                state.failures = 0;
                written++;
                done.end(true);
                if (state.waiting != null) {
                    state.waiting.follow(done); // until then, the cache is newer than the database
                } else if (done.unsure) {
                    outdated.add(state.key);
                }
            } else if (isKept(state, done)) {
                retried++;
            } else {
                dropped++;
                outdated.add(state.key);
                done.end(false);
            }
            removeIfIdle(state);
        }
        grantAll();
        return new Settled<>(written, retried, dropped, outdated);
    }

    /** Keeps a failed change, or the later one of its key, for another attempt; returns false after the last one. */
    private boolean isKept(KeyState<K, V> state, QueuedChange<V> older) {
        state.failures++;
        long pauseEnd = now() + pauseNanos(state.failures);
        if (state.waiting != null) {
            state.waiting.replace(older); // the older value must not be written any more
            fresh.remove(state);
            state.due = Math.max(state.due - now(), pauseEnd - now()) + now();
        } else if (older.failed() < options.attempts()) {
            state.waiting = older;
            state.due = pauseEnd;
        } else {
            return false;
        }
        failed.add(state);
        return true;
    }

    /** Half of a pause is random, so that the processes do not return to the database at the same moment. */
    private long pauseNanos(int failures) {
        Duration half = pauseLimit(failures).dividedBy(2);
        return half.toNanos() + timing.upTo(half);
    }

    static Duration pauseLimit(int failures) {
        return failures >= LONGEST_PAUSE_FROM ? LONGEST_PAUSE : FIRST_PAUSE.multipliedBy(1L << (failures - 1));
    }

    /** Makes all changes due; returns a future that is true when all are written, and false if one is given up. */
    synchronized CompletableFuture<Boolean> hurry() {
        makeAllDue();
        List<CompletableFuture<Boolean>> ends = new ArrayList<>();
        states.values().forEach(state -> state.last().ifPresent(change -> ends.add(change.written())));
        return CompletableFuture.allOf(ends.toArray(new CompletableFuture<?>[0]))
                .thenApply(all -> ends.stream().allMatch(end -> end.getNow(false)));
    }

    private void makeAllDue() {
        long now = now();
        List<KeyState<K, V>> paused = List.copyOf(failed);
        failed.clear(); // due times define its order
        fresh.forEach(state -> state.due = now);
        paused.forEach(state -> state.due = now);
        failed.addAll(paused);
    }

    /** Refuses further places, and makes all changes due. */
    synchronized void end() {
        ended = true;
        requests.forEach(request -> request.granted().complete(false));
        requests.clear();
        makeAllDue();
        if (states.isEmpty()) {
            drained.complete(true);
        }
    }

    /** Returns a future that becomes true when the queue has {@linkplain #end ended} and all its places are free. */
    CompletableFuture<Boolean> drained() {
        return drained;
    }

    synchronized boolean isEnded() {
        return ended;
    }

    /** Gives up all changes; returns how many were not written. */
    synchronized int abandon() {
        int lost = 0;
        for (KeyState<K, V> state : states.values()) {
            lost += state.hasChange() ? 1 : 0;
            state.last().ifPresent(change -> change.end(false));
            state.waiting = null;
            state.underWay = null;
        }
        states.clear();
        fresh.clear();
        failed.clear();
        return lost;
    }

    synchronized int size() {
        return states.size();
    }

    private long now() {
        return timing.ticker().nanos();
    }

    private boolean isOver(long due) {
        return due - now() <= 0;
    }

    /** A change to write: an immutable value, or null for a delete. */
    record PendingChange<V>(@Nullable V value) {
        boolean isDelete() {
            return value == null;
        }
    }

    /** A change in the queue, with its attempts and waiting calls. Guarded by the queue. */
    static final class QueuedChange<V> {
        private final PendingChange<V> change;
        private @Nullable CompletableFuture<Boolean> written;
        private boolean unsure;
        private int failures;

        /** Creates a change; {@code unsure} tells that the cache may not have made it. */
        QueuedChange(PendingChange<V> change, boolean unsure) {
            this.change = change;
            this.unsure = unsure;
        }

        PendingChange<V> change() {
            return change;
        }

        /** Returns a future that becomes true when the change is written, and false when it is given up. */
        CompletableFuture<Boolean> written() {
            CompletableFuture<Boolean> known = written == null ? new CompletableFuture<>() : written;
            written = known;
            return known;
        }

        /** Replaces an earlier change of the same key, which will not be written, also for calls that wait for it. */
        void replace(QueuedChange<V> earlier) {
            follow(earlier);
            CompletableFuture<Boolean> awaited = earlier.written;
            if (awaited != null && written == null) {
                written = awaited;
            } else if (awaited != null) {
                CompletableFuture<Void> unused = written().thenAccept(awaited::complete);
            }
        }

        /** Inherits the uncertainty of an earlier change. */
        void follow(QueuedChange<V> earlier) {
            unsure |= earlier.unsure;
        }

        void end(boolean wasWritten) {
            if (written != null) {
                written.complete(wasWritten);
            }
        }

        int failed() {
            return ++failures;
        }
    }

    /** A request for places of all keys or none; {@code granted} is false if it fails. Compared by identity. */
    record PlaceRequest<K>(List<K> keys, CompletableFuture<Boolean> granted) {
        PlaceRequest(List<K> keys) {
            this(keys, new CompletableFuture<>());
        }
    }

    /**
     * Changes, either only deletes or none, that the writer receives in one call, in the order in which they became due.
     */
    record Batch<K, V>(List<KeyState<K, V>> states, Map<K, PendingChange<V>> changes) {
        boolean isDeletes() {
            return changes.values().iterator().next().isDelete();
        }

        Map<K, V> values() {
            Map<K, V> values = new LinkedHashMap<>();
            changes.forEach((key, change) -> values.put(key, Objects.requireNonNull(change.value())));
            return values;
        }
    }

    /**
     * The outcome of a batch: how many changes were written, failed and wait again (or were replaced by a later change), or
     * failed for the last time, and the keys whose entry may differ from what was written.
     */
    record Settled<K>(int written, int retried, int dropped, Set<K> outdated) {}

    /** The queued changes of one key, which take one place in the queue. Guarded by the queue; compared by identity. */
    private static final class KeyState<K, V> {
        private final K key;

        /** The number of calls that are changing the entry, each of which may still queue a change. */
        int calls;

        @Nullable
        QueuedChange<V> waiting;

        @Nullable
        QueuedChange<V> underWay;

        long due;

        /** The number of successive failures of the writer for this key. */
        int failures;

        KeyState(K key) {
            this.key = key;
        }

        boolean isIdle() {
            return calls == 0 && !hasChange();
        }

        boolean hasChange() {
            return waiting != null || underWay != null;
        }

        /** Returns the last change, waiting or being written. */
        Optional<QueuedChange<V>> last() {
            return Optional.ofNullable(waiting != null ? waiting : underWay);
        }

        void takeUnderWay() {
            underWay = waiting;
            waiting = null;
        }
    }
}
