// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.cache.BoundedLoader.Loaded;
import io.keyslot.client.cache.SingleFlights.Flight;
import io.keyslot.client.cache.SingleFlights.LoadResult;
import io.keyslot.client.cache.SingleFlights.Participation;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.Lease;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The load of one entry by one call. For use by one thread. */
final class Load<K, V> {
    final K key;
    final EncodedKey encoded;

    /** The result of the read that caused the load. */
    final Answer<V> missed;

    final Participation.Role role;
    final Flight<V> flight;

    /** The load that has to end before this one begins, if this one leads the next flight. */
    final @Nullable Flight<V> ahead;

    /** The entry as this thread read it last. */
    private Answer<V> seen;

    private @Nullable LoadResult<V> result;

    Load(Loads.Wanted<K, V> wanted, Participation<V> participation) {
        this.key = wanted.key();
        this.encoded = wanted.encoded();
        this.missed = wanted.seen();
        this.role = participation.role();
        this.flight = participation.flight();
        this.ahead = participation.ahead();
        this.seen = missed;
    }

    Answer<V> seen() {
        return seen;
    }

    void sees(Answer<V> now) {
        seen = now;
    }

    LoadCause cause() {
        return switch (seen.kind()) {
            case UNKNOWN -> LoadCause.MISSING_PARTITION;
            case STALE -> LoadCause.EXPIRED;
            default -> LoadCause.MISS;
        };
    }

    boolean isOver() {
        return result != null;
    }

    void end(LoadResult<V> how) {
        result = how;
    }

    LoadResult<V> result() {
        return Objects.requireNonNull(result, "it is not over");
    }

    /**
     * The common properties of all loads of one call: the remaining time for partitions, the time spent before the first
     * load, and whether the loader gets all entries at once, present entries are loaded as well, and stale values may
     * replace failed loads.
     */
    record Call(CallBudget budget, Duration spentBefore, boolean isBulk, boolean replaces, boolean mayBeStale) {
        static Call get(CallBudget budget) {
            return new Call(budget, budget.spent(), false, false, true);
        }

        static Call getAll(CallBudget budget) {
            return new Call(budget, budget.spent(), true, false, true);
        }

        static Call loadAll(CallBudget budget) {
            return new Call(budget, budget.spent(), true, true, false);
        }

        /** Returns the call after it has read the entries again, which are recent enough now. */
        Call again() {
            return new Call(budget, spentBefore, isBulk, false, mayBeStale);
        }

        /** Returns the call for one of its entries, which is recent enough if it was read again. */
        Call ofOne() {
            return new Call(budget, budget.spent(), false, false, mayBeStale);
        }

        /** Returns how long a load waited for its entry's partition, or zero if the call has several entries. */
        Duration spent() {
            return isBulk ? Duration.ZERO : budget.spent().minus(spentBefore);
        }
    }

    /**
     * A load that may call the loader now, and the stamp that its value replaces; with 0, the value is not stored.
     * {@code before} is the present entry for listeners, which do not see leases and stale entries.
     */
    record Grant<K, V>(Load<K, V> load, LoadCause cause, Answer<V> before, long stamp) {
        /** Returns a grant without a lease: the value is returned, but not stored. */
        static <K, V> Grant<K, V> unguarded(Load<K, V> load, LoadCause cause) {
            return new Grant<>(load, cause, Answer.without(Answer.Kind.ABSENT), 0);
        }

        static <K, V> Grant<K, V> under(Lease lease, Load<K, V> load, LoadCause cause) {
            return new Grant<>(load, cause, Answer.without(Answer.Kind.ABSENT), lease.stamp());
        }

        /** Returns a grant that replaces the present entry unless it has changed when the value is loaded. */
        static <K, V> Grant<K, V> replacing(Load<K, V> load, LoadCause cause) {
            return new Grant<>(load, cause, load.seen(), load.seen().stamp());
        }

        K key() {
            return load.key;
        }

        boolean isUpdate() {
            return before.isPresent() && cause != LoadCause.REFRESH;
        }

        /** Returns whether to store or remove something. An entry to update stays if there is no value. */
        boolean isToStore(@Nullable Loaded<V> loaded) {
            return stamp != 0 && (loaded != null || !isUpdate());
        }
    }
}
