// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The reasons why recent near entries ended, for explanations. A table of fixed size. Thread-safe. */
final class NearEnds {
    private static final int PLACES = 1 << 10;

    private final AtomicReferenceArray<@Nullable Note> notes = new AtomicReferenceArray<>(PLACES);

    record Note(Object key, NearEnd end, long nanos) {}

    void note(Object key, NearEnd end, long now) {
        notes.set(placeOf(key), new Note(key, end, now));
    }

    @Nullable
    Note of(Object key) {
        Note note = notes.get(placeOf(key));
        return note != null && note.key().equals(key) ? note : null;
    }

    private static int placeOf(Object key) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (PLACES - 1);
    }
}
