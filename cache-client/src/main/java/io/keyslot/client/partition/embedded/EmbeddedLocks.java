// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.embedded.StoredEntries.Change;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The locks of groups, stored in the form of a server. */
final class EmbeddedLocks {
    /** The retention of the last token, which matters only if the clock goes back. */
    private static final Expiry REMEMBERED =
            Expiry.afterMillis(Duration.ofDays(1).toMillis());

    private final StoredEntries entries;
    private final int epoch;

    EmbeddedLocks(StoredEntries entries, int epoch) {
        this.entries = entries;
        this.epoch = epoch;
    }

    long lock(LockCommand.Lock command) {
        return entries.together(command.home().slot(), () -> lockAlone(command));
    }

    private long lockAlone(LockCommand.Lock command) {
        GroupHome home = command.home();
        long present = present(home);
        if (present != 0 && !isOf(home, present, command.holder())) {
            return 0;
        }
        long token = present == 0 ? Math.max(nowMicros(), lastToken(home) + 1) : present;
        byte[] lock = ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(epoch)
                .putLong(token)
                .array();
        byte[] last = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(token)
                .putLong(command.holder())
                .array();
        store(home.lock(), lock, command.lease());
        store(home.stamps(), last, REMEMBERED);
        return token;
    }

    boolean renew(LockCommand.RenewLock command) {
        return entries.together(command.home().slot(), () -> {
            boolean isHeld = present(command.home()) == command.token();
            if (isHeld) {
                expire(command.home().lock(), command.lease());
            }
            return isHeld;
        });
    }

    boolean unlock(LockCommand.Unlock command) {
        return entries.together(command.home().slot(), () -> {
            long present = present(command.home());
            boolean isHeld = present != 0 && isOf(command.home(), present, command.holder());
            if (isHeld) {
                entries.change(command.home().lock(), before -> new Change<>(true, null));
            }
            return isHeld;
        });
    }

    /** Returns the token of the lock, 0 if it is free in this epoch. */
    private long present(GroupHome home) {
        ByteBuffer lock = bytes(home.lock());
        return lock != null && lock.getInt() == epoch ? lock.getLong() : 0;
    }

    private boolean isOf(GroupHome home, long token, long holder) {
        ByteBuffer last = bytes(home.stamps());
        return last != null && last.getLong() == token && last.getLong() == holder;
    }

    private long lastToken(GroupHome home) {
        ByteBuffer last = bytes(home.stamps());
        return last == null ? 0 : last.getLong();
    }

    private @Nullable ByteBuffer bytes(EncodedKey key) {
        EmbeddedEntry found = entries.find(key);
        return found == null ? null : ByteBuffer.wrap(found.bytes());
    }

    private void store(EncodedKey key, byte[] bytes, Expiry expiry) {
        EmbeddedEntry entry = EmbeddedEntry.lasting(bytes).expiring(expiry, entries.nowNanos());
        entries.change(key, before -> new Change<>(true, entry));
    }

    private void expire(EncodedKey key, Expiry expiry) {
        entries.change(
                key,
                present -> new Change<>(true, present == null ? null : present.expiring(expiry, entries.nowNanos())));
    }

    /** The clock of this process starts at any value, even below zero; tokens are positive and increase with it. */
    private long nowMicros() {
        return Long.divideUnsigned(entries.nowNanos() ^ Long.MIN_VALUE, 1_000);
    }
}
