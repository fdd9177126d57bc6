// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.partition.EncodedKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The loads under way in this process, one at a time for each entry. Those who miss an entry while it is being loaded share
 * that load if it cannot show them an older value than one they know of; otherwise they share the next one. So each waits
 * for two loads at most.
 *
 * <p>Memory is held for the entries that are being loaded, no others. Nothing here blocks. Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class Flights<V> {
    private final ConcurrentMap<EncodedKey, Runway<V>> runways = new ConcurrentHashMap<>();

    /**
     * The flights of one entry.
     *
     * @param next follows when the first has ended; it has not begun
     */
    private record Runway<V>(Flight<V> first, @Nullable Flight<V> next) {}

    /**
     * Leads a new flight if there is none, or says what to do with those under way.
     *
     * @param seenMark the stamp of the lease or entry that the reader saw, 0 for none
     */
    public Boarding<V> board(EncodedKey key, long seenMark) {
        AtomicReference<@Nullable Boarding<V>> boarding = new AtomicReference<>();
        runways.compute(key, (same, present) -> {
            Flight<V> mine = new Flight<>();
            if (present == null) {
                boarding.set(Boarding.of(Boarding.Role.LEAD, mine));
                return new Runway<>(mine, null);
            }
            if (present.first.mayAnswer(seenMark)) {
                boarding.set(Boarding.of(Boarding.Role.JOIN, present.first));
                return present;
            }
            if (present.next != null) {
                boarding.set(Boarding.of(Boarding.Role.JOIN, present.next));
                return present;
            }
            boarding.set(new Boarding<>(Boarding.Role.FOLLOW, mine, present.first));
            return new Runway<>(present.first, mine);
        });
        Boarding<V> made = boarding.get();
        if (made == null) {
            throw new IllegalStateException("The map did not ask");
        }
        return made;
    }

    /** Ends a flight that this thread leads: those who wait for it go on. */
    public void land(EncodedKey key, Flight<V> flight, Landing<V> landing) {
        // First away, then done: who looks again because it has ended must not find it still here.
        runways.computeIfPresent(key, (same, present) -> without(present, flight));
        flight.land(landing);
    }

    @SuppressWarnings({"NullAway", "ReferenceEquality"}) // null removes the mapping; flights have no value
    private static <V> Runway<V> without(Runway<V> present, Flight<V> flight) {
        if (present.first == flight) {
            return present.next == null ? null : new Runway<>(present.next, null);
        }
        return present.next == flight ? new Runway<>(present.first, null) : present;
    }

    /** Returns how many entries are being loaded. */
    public int size() {
        return runways.size();
    }
}
