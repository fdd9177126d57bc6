// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.Lease;
import io.keyslot.client.entry.LoadCause;
import org.jspecify.annotations.Nullable;

/**
 * That the loader is to be asked for an entry now, and what its value will replace.
 *
 * @param cause why it is asked
 * @param before what is there, for listeners: a lease, and an entry whose time is over, are nothing to them
 * @param stamp the stamp of what the value replaces; 0 if it is not stored
 */
record Grant<K, V>(Load<K, V> load, LoadCause cause, Answer<V> before, long stamp) {
    /** Nobody guards the entry's place: the value is returned and not stored. */
    static <K, V> Grant<K, V> unguarded(Load<K, V> load, LoadCause cause) {
        return new Grant<>(load, cause, Answer.without(Answer.Kind.ABSENT), 0);
    }

    static <K, V> Grant<K, V> under(Lease lease, Load<K, V> load, LoadCause cause) {
        return new Grant<>(load, cause, Answer.without(Answer.Kind.ABSENT), lease.stamp());
    }

    /** The entry that is there stays until then: whoever changes it before wins. */
    static <K, V> Grant<K, V> replacing(Load<K, V> load, LoadCause cause) {
        return new Grant<>(load, cause, load.seen(), load.seen().stamp());
    }

    K key() {
        return load.key;
    }

    /** Returns whether an entry is replaced because the application asked for that. */
    boolean isUpdate() {
        return before.isPresent() && cause != LoadCause.REFRESH;
    }

    /** Returns whether something is to be done about the entry. One that is to be updated stays if there is no value. */
    boolean isToStore(@Nullable Loaded<V> loaded) {
        return stamp != 0 && (loaded != null || !isUpdate());
    }
}
