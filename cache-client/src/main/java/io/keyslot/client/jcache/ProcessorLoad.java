// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CallBudget;
import io.keyslot.client.loading.Leases;
import io.keyslot.client.loading.LoadCause;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load of an entry that a processor wants to read and that is not there. It takes the entry's place by a lease, another
 * process's lease included, so that whatever is put or removed while the loader runs makes the processor run again. For use
 * by one thread.
 */
final class ProcessorLoad<K, V> {
    private final CacheParts<K, V> parts;
    private final LoaderDoor<K, V> door;
    private final K key;
    private final EncodedKey encoded;
    private final Answer<V> current;
    private final CallBudget budget;
    private long lease;
    private Leases.@Nullable Held held;
    private @Nullable KeyslotException failure;

    ProcessorLoad(
            CacheParts<K, V> parts,
            LoaderDoor<K, V> door,
            K key,
            EncodedKey encoded,
            Answer<V> current,
            CallBudget budget) {
        this.parts = parts;
        this.door = door;
        this.key = key;
        this.encoded = encoded;
        this.current = current;
        this.budget = budget;
    }

    @Nullable
    V load() {
        if (current.stamp() == Command.ABSENT && lease == 0) {
            takeLease();
        }
        Loaded<V> loaded = door.load(key, LoadCause.MISS);
        return loaded == null ? null : loaded.value();
    }

    private void takeLease() {
        long mine = parts.store().newStamp();
        Answer<V> now = parts.store().lease(encoded, mine, Leases.expiry(), budget);
        failure = now.failure();
        if (failure != null) {
            throw failure;
        }
        if (now.leaseStamp() != mine) {
            // If somebody has stored the entry, this does not take its place, and the result will not be applied.
            Envelope stolen = Envelope.lease(mine);
            parts.store()
                    .setAll(
                            List.of(new Command.CompareAndSet(encoded, Command.ABSENT, stolen, Leases.expiry())),
                            budget);
        }
        lease = mine;
        held = parts.loading().leases().hold(encoded, mine);
    }

    /** Throws again what kept the entry from being loaded, if that is why the processor failed. */
    void throwFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the stamp that the processor's result has to replace. */
    long expectedStamp() {
        return lease == 0 ? current.stamp() : lease;
    }

    /** The processor is done. */
    void end() {
        if (held != null) {
            held.close();
        }
    }

    /** The processor is done, and nothing is to be stored. */
    void giveUp(Fills<K, V> fills) {
        end();
        if (lease != 0) {
            fills.release(encoded, lease, budget);
        }
    }
}
