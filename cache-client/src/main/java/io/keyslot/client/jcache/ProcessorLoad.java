// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.entry.Answer;
import io.keyslot.client.loading.Leases;
import io.keyslot.client.loading.LoadCause;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
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
    private long lease;
    private Leases.@Nullable Held held;

    ProcessorLoad(CacheParts<K, V> parts, LoaderDoor<K, V> door, K key, EncodedKey encoded, Answer<V> current) {
        this.parts = parts;
        this.door = door;
        this.key = key;
        this.encoded = encoded;
        this.current = current;
    }

    @Nullable
    V load() {
        if (current.stamp() == Command.ABSENT && lease == 0) {
            lease = parts.store().newStamp();
            // If somebody has stored the entry meanwhile, the lease is not taken, and the result will not be applied.
            parts.store()
                    .compareAndSet(encoded, Command.ABSENT, Envelope.lease(lease), Leases.expiry(), parts.budget());
            held = parts.loading().leases().hold(encoded, lease);
        }
        Loaded<V> loaded = door.load(key, LoadCause.MISS);
        return loaded == null ? null : loaded.value();
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
            fills.release(encoded, lease);
        }
    }
}
