// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
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
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
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
final class ChangeQueue {
    /** The longest pause of a key after its first failed write; it doubles with each further failure. */
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /** The smallest number of failures with the longest pause. */
    private static final int LONGEST_PAUSE_FROM = 10;

    private final WriteBehindOptions options;
    private final Timing timing;
    private final Map<EncodedKey, KeyState> states = new HashMap<>();
    private final Set<KeyState> fresh = new LinkedHashSet<>(); // due in this order
    private final PriorityQueue<KeyState> failed =
            new PriorityQueue<>((one, other) -> Long.signum(one.due - other.due));
    private final Deque<PlaceRequest> requests = new ArrayDeque<>();
    private final CompletableFuture<Boolean> drained = new CompletableFuture<>();
    private boolean tookFailed;
    private boolean ended;

    ChangeQueue(WriteBehindOptions options, Timing timing) {
        this.options = options;
        this.timing = timing;
    }

    /** A request for places of all keys or none; {@code granted} is false if it fails. Compared by identity. */
    record PlaceRequest(List<EncodedKey> keys, CompletableFuture<Boolean> granted) {}

    /** Requests places. The caller must give back or fill each place that it gets. */
    synchronized PlaceRequest request(List<EncodedKey> keys) {
        PlaceRequest request = new PlaceRequest(keys, new CompletableFuture<>());
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

    synchronized boolean withdraw(PlaceRequest request) {
        if (requests.remove(request)) {
            request.granted().complete(false);
            grantAll(); // those behind it may need fewer places
        }
        return request.granted().getNow(false);
    }

    private int placesFor(PlaceRequest request) {
        return (int)
                request.keys().stream().filter(key -> !states.containsKey(key)).count();
    }

    private boolean isRoomFor(int places) {
        return states.size() + places <= options.queue();
    }

    private void grant(PlaceRequest request) {
        request.keys().forEach(key -> states.computeIfAbsent(key, KeyState::new).calls++);
        request.granted().complete(true);
    }

    private void grantAll() {
        for (PlaceRequest next = requests.peek(); next != null && isRoomFor(placesFor(next)); next = requests.peek()) {
            requests.remove();
            grant(next);
        }
    }

    /**
     * Queues the change of a call with a place: a value, or null for a removal. {@code unsure} tells that the cache may
     * not have made it. Returns false if the queue was given up meanwhile.
     */
    synchronized boolean fill(EncodedKey key, @Nullable Envelope value, boolean unsure) {
        KeyState state = states.get(key);
        if (state == null) {
            return false;
        }
        state.calls--;
        Change change = new Change(value, unsure);
        if (state.waiting == null) {
            state.due = ended ? now() : now() + options.delay().toNanos();
            fresh.add(state);
        } else {
            change.replace(state.waiting);
        }
        state.waiting = change;
        return true;
    }

    synchronized void giveBack(EncodedKey key) {
        KeyState state = states.get(key);
        if (state != null) {
            state.calls--;
            removeIfIdle(state);
            grantAll();
        }
    }

    private void removeIfIdle(KeyState state) {
        if (state.calls == 0 && state.last() == null) {
            states.remove(state.key);
        }
        if (ended && states.isEmpty()) {
            drained.complete(true);
        }
    }

    /** Returns the last change of a key that may not be written yet, or null. */
    synchronized @Nullable Change pending(EncodedKey key) {
        KeyState state = states.get(key);
        return state == null ? null : state.last();
    }

    /**
     * Takes due changes for one call of the writer, in the order in which they became due: either only removals or none;
     * no changes if none is due.
     */
    synchronized Map<EncodedKey, Change> take() {
        KeyState failedFirst = failed.peek();
        boolean isFailedDue = failedFirst != null && isOver(failedFirst.due);
        boolean isFreshDue = !fresh.isEmpty() && isFreshDue(fresh.iterator().next());
        tookFailed = isFailedDue && (!isFreshDue || !tookFailed);
        Map<EncodedKey, Change> taken = new LinkedHashMap<>();
        for (KeyState state : tookFailed ? List.of(failed.remove()) : takeFresh()) {
            Change change = Objects.requireNonNull(state.waiting);
            state.underWay = change;
            state.waiting = null;
            taken.put(state.key, change);
        }
        return taken;
    }

    private List<KeyState> takeFresh() {
        List<KeyState> taken = new ArrayList<>();
        Boolean removals = null;
        for (Iterator<KeyState> rest = fresh.iterator(); rest.hasNext() && taken.size() < options.batch(); ) {
            KeyState state = rest.next();
            if (!isFreshDue(state)) {
                break;
            }
            boolean isRemoval = state.waiting != null && state.waiting.value == null;
            removals = removals == null ? isRemoval : removals;
            if (removals == isRemoval) {
                rest.remove();
                taken.add(state);
            }
        }
        return taken;
    }

    private boolean isFreshDue(KeyState state) {
        return !requests.isEmpty() || isOver(state.due);
    }

    /** Returns the time until a change is due, zero or less if one is due now; empty if no change waits. */
    synchronized OptionalLong nanosUntilDue() {
        KeyState firstFailed = failed.peek();
        OptionalLong ofFailed = firstFailed == null ? OptionalLong.empty() : OptionalLong.of(firstFailed.due - now());
        if (fresh.isEmpty()) {
            return ofFailed;
        }
        KeyState first = fresh.iterator().next();
        long ofFresh = isFreshDue(first) ? 0 : first.due - now();
        return OptionalLong.of(Math.min(ofFresh, ofFailed.orElse(ofFresh)));
    }

    /** Returns whether no other change of the key is waiting behind the one that is being written. */
    synchronized boolean isLast(EncodedKey key) {
        KeyState state = states.get(key);
        return state == null || state.waiting == null;
    }

    /**
     * The outcome of a batch: how many changes were written, failed and wait again (or were replaced by a later change), or
     * failed for the last time, and the keys whose entry may differ from what was written.
     */
    record Settled(int written, int retried, int dropped, List<EncodedKey> outdated) {}

    /** Ends the writing of changes; {@code written} has the keys of those that were written. */
    @SuppressWarnings("ReferenceEquality") // changes have identity
    synchronized Settled settle(Map<EncodedKey, Change> batch, Set<EncodedKey> written) {
        int done = 0;
        int retried = 0;
        int dropped = 0;
        List<EncodedKey> outdated = new ArrayList<>();
        for (Map.Entry<EncodedKey, Change> taken : batch.entrySet()) {
            KeyState state = states.get(taken.getKey());
            Change change = taken.getValue();
            if (state == null || state.underWay != change) {
                continue; // given up meanwhile
            }
            state.underWay = null;
            if (written.contains(state.key)) {
                state.failures = 0;
                done++;
                change.end(true);
                if (state.waiting != null) {
                    state.waiting.unsure |= change.unsure; // until then, the cache is newer than the database
                } else if (change.unsure) {
                    outdated.add(state.key);
                }
            } else if (isKept(state, change)) {
                retried++;
            } else {
                dropped++;
                outdated.add(state.key);
                change.end(false);
            }
            removeIfIdle(state);
        }
        grantAll();
        return new Settled(done, retried, dropped, outdated);
    }

    /** Keeps a failed change, or the later one of its key, for another attempt; returns false after the last one. */
    private boolean isKept(KeyState state, Change older) {
        state.failures++;
        long pauseEnd = now() + pauseNanos(state.failures);
        if (state.waiting != null) {
            state.waiting.replace(older); // the older value must not be written any more
            fresh.remove(state);
            state.due = Math.max(state.due - now(), pauseEnd - now()) + now();
        } else if (++older.failures < options.attempts()) {
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
        for (KeyState state : states.values()) {
            Change last = state.last();
            if (last != null) {
                ends.add(last.written());
            }
        }
        return CompletableFuture.allOf(ends.toArray(new CompletableFuture<?>[0]))
                .thenApply(all -> ends.stream().allMatch(end -> end.getNow(false)));
    }

    private void makeAllDue() {
        long now = now();
        List<KeyState> paused = List.copyOf(failed);
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
        for (KeyState state : states.values()) {
            Change last = state.last();
            if (last != null) {
                lost++;
                last.end(false);
            }
            state.waiting = null;
            state.underWay = null;
        }
        states.clear();
        fresh.clear();
        failed.clear();
        return lost;
    }

    /**
     * Gives up the waiting changes of some keys, and returns how many. A change that is being written is not repeated if that
     * fails.
     */
    synchronized int giveUp(Predicate<EncodedKey> keys) {
        int count = 0;
        for (KeyState state : List.copyOf(states.values())) {
            if (keys.test(state.key)) {
                if (state.underWay != null) {
                    state.underWay.failures = options.attempts();
                }
                if (state.waiting != null) {
                    state.waiting.end(false);
                    state.waiting = null;
                    fresh.remove(state);
                    failed.remove(state);
                    count++;
                }
                removeIfIdle(state);
            }
        }
        grantAll();
        return count;
    }

    /** Returns whether a change of one of these keys is being written, or may still be queued by a call. */
    synchronized boolean isBusy(Predicate<EncodedKey> keys) {
        return states.keySet().stream().anyMatch(keys);
    }

    /** Returns the number of keys with changes that are waiting or being written. */
    synchronized int size() {
        return states.size();
    }

    private long now() {
        return timing.ticker().nanos();
    }

    private boolean isOver(long due) {
        return due - now() <= 0;
    }

    /** A change in the queue: a value, or null for a removal. Guarded by the queue, but for the value. */
    static final class Change {
        final @Nullable Envelope value;
        /** Whether the cache may not have made the change or an earlier one that it replaces. */
        private boolean unsure;

        private int failures;
        /** Becomes true when the change is written, and false when it is given up; null if no call waits for it. */
        private @Nullable CompletableFuture<Boolean> written;

        private Change(@Nullable Envelope value, boolean unsure) {
            this.value = value;
            this.unsure = unsure;
        }

        private CompletableFuture<Boolean> written() {
            CompletableFuture<Boolean> known = written == null ? new CompletableFuture<>() : written;
            written = known;
            return known;
        }

        /** Replaces an earlier change of the same key, which will not be written, also for calls that wait for it. */
        private void replace(Change earlier) {
            unsure |= earlier.unsure;
            CompletableFuture<Boolean> awaited = earlier.written;
            if (awaited != null && written == null) {
                written = awaited;
            } else if (awaited != null) {
                CompletableFuture<Void> unused = written().thenAccept(awaited::complete);
            }
        }

        private void end(boolean wasWritten) {
            if (written != null) {
                written.complete(wasWritten);
            }
        }
    }

    /** The queued changes of one key, which take one place in the queue. Guarded by the queue; compared by identity. */
    private static final class KeyState {
        private final EncodedKey key;
        /** The number of calls that are changing the entry, each of which may still queue a change. */
        private int calls;

        private @Nullable Change waiting;
        private @Nullable Change underWay;
        private long due;
        private int failures;

        private KeyState(EncodedKey key) {
            this.key = key;
        }

        /** Returns the last change, waiting or being written, or null. */
        private @Nullable Change last() {
            return waiting == null ? underWay : waiting;
        }
    }
}
