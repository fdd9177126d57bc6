// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An entry in a run of a transaction's work: as read, and with the changes of the run. */
final class KnownEntry implements Known {
    private final EncodedKey key;
    private final boolean read;
    private final long stampRead;
    private @Nullable Envelope present;
    private boolean changed;

    private KnownEntry(EncodedKey key, boolean read, @Nullable Envelope present) {
        this.key = key;
        this.read = read;
        this.stampRead = present == null ? Command.ABSENT : present.stamp();
        this.present = present;
    }

    static KnownEntry read(EncodedKey key, Lookup lookup) {
        return new KnownEntry(key, true, lookup.envelope());
    }

    static KnownEntry unread(EncodedKey key) {
        return new KnownEntry(key, false, null);
    }

    @Nullable
    Envelope present() {
        return present;
    }

    int sizeBytes() {
        return present == null ? 0 : present.sizeBytes();
    }

    /** Records that the entry will be stored, or removed if {@code next} is null. */
    void change(@Nullable Envelope next) {
        present = next;
        changed = true;
    }

    @Override
    public Optional<GroupCommand.Expected> expected() {
        return read ? Optional.of(new GroupCommand.Expected(key, null, stampRead)) : Optional.empty();
    }

    @Override
    public Optional<GroupCommand.Expected> afterwards() {
        long stamp = present == null ? Command.ABSENT : present.stamp();
        return changed ? Optional.of(new GroupCommand.Expected(key, null, stamp)) : Optional.empty();
    }
}
