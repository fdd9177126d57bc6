// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import java.util.List;

/** What is done to the lock of a group. */
public sealed interface LockCommand<R> extends Command<R> {
    GroupHome home();

    @Override
    default List<EncodedKey> keys() {
        return List.of(home().lock());
    }

    /**
     * Takes the lock of a group if nobody has it; answers its token, 0 if another has it.
     *
     * <p>The token is higher than that of every earlier holder, as far as the partition remembers: one more than the last
     * one, or the partition's clock in microseconds, whichever is higher. A holder that has the lock already is answered
     * with its token, and the lease begins anew.
     *
     * @param holder never 0, and another for every holder
     * @param lease when the lock is free again if it is not renewed; not {@code UNCHANGED}
     */
    record Lock(GroupHome home, long holder, Expiry lease) implements LockCommand<Long> {
        @Override
        public CommandKind<Long> kind() {
            return CommandKind.LOCK;
        }
    }

    /** Lets the lease of a group's lock begin anew if the lock has this token; answers whether it has. */
    record RenewLock(GroupHome home, long token, Expiry lease) implements LockCommand<Boolean> {
        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.RENEW_LOCK;
        }
    }

    /** Gives the lock of a group back if this holder has it; answers whether it had. */
    record Unlock(GroupHome home, long holder) implements LockCommand<Boolean> {
        @Override
        public CommandKind<Boolean> kind() {
            return CommandKind.UNLOCK;
        }
    }
}
