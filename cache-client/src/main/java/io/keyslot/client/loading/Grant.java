// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.Lease;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import org.jspecify.annotations.Nullable;

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
