// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.partition.EncodedKey;

/** The loads of processors. Safe for use by several threads. */
public final class ProcessorLoads<K, V> {
    private final EntryStore<V> store;
    private final LoadPlaces<V> places;
    private final Fills<K, V> fills;
    private final LoaderDoor<K, V> door;
    private final ReadPolicy policy;

    public ProcessorLoads(
            EntryStore<V> store, LoadPlaces<V> places, Fills<K, V> fills, LoaderDoor<K, V> door, ReadPolicy policy) {
        this.store = store;
        this.places = places;
        this.fills = fills;
        this.door = door;
        this.policy = policy;
    }

    /** Returns whether a processor that reads a missing entry has it loaded. */
    public boolean isReadThrough() {
        return policy.isReadThrough();
    }

    /** Returns the load of an entry, for one processor. */
    public ProcessorLoad<K, V> of(K key, EncodedKey encoded) {
        return new ProcessorLoad<>(store, places, fills, door, key, encoded);
    }
}
