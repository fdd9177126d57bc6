// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.partition.Command;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an entry: its value and stamp, that there is none, or that its partition could not be asked.
 *
 * @param value the decoded value, null if there is none or it is not known
 * @param stamp the stamp of the write that the value comes from, {@link Command#ABSENT} if there is none
 * @param failure why it is not known, null if it is
 * @param <V> the type of the values
 */
public record Answer<V>(
        @Nullable V value, long stamp, @Nullable KeyslotException failure) {
    static <V> Answer<V> present(V value, long stamp) {
        return new Answer<>(value, stamp, null);
    }

    static <V> Answer<V> absent() {
        return new Answer<>(null, Command.ABSENT, null);
    }

    static <V> Answer<V> failed(KeyslotException failure) {
        return new Answer<>(null, Command.ABSENT, failure);
    }

    /** Returns whether it is known that there is an entry. */
    public boolean isPresent() {
        return value != null;
    }

    /** Returns this answer if something is known, or throws the failure. */
    public Answer<V> orThrow() {
        if (failure != null) {
            throw failure;
        }
        return this;
    }
}
