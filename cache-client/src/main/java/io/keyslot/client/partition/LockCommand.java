// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import java.util.List;

/** A command on the lock of a group. */
public sealed interface LockCommand<R> extends Command<R> {
    GroupHome home();

    @Override
    default List<EncodedKey> keys() {
        return List.of(home().lock());
    }

    /**
     * Takes the lock of a group if it is free; answers its token, 0 if another holder has it.
     *
     * <p>The token is higher than all earlier tokens that the partition remembers: the last one plus one, or the
     * partition's clock in microseconds, whichever is higher. If this holder, a unique number other than 0, already has
     * the lock, the answer is its token, and the lease (not {@code UNCHANGED}) starts anew.
     */
    record Lock(GroupHome home, long holder, Expiry lease) implements LockCommand<Long> {}

    /** Restarts the lease of a group's lock if the lock has this token; answers whether it has. */
    record RenewLock(GroupHome home, long token, Expiry lease) implements LockCommand<Boolean> {}

    /** Releases the lock of a group if this holder has it; answers whether it had. */
    record Unlock(GroupHome home, long holder) implements LockCommand<Boolean> {}
}
