// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.invalidation;

import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the listeners of one cache know of some keys: the stamp of the value, or that there is none. It is not told again.
 *
 * <p>A note is needed until everything that was changed before it has been told: a key may be told once more after its entry has
 * been read, and a removal of this process is told by the partition too. Later it is kept as long as there is room. Safe for use by
 * several threads.
 */
final class LastPublished {
    static final int MOST_NOTES = 20_000;

    /** Rounds after which a note is not needed: the one during which it was made, and a whole one. */
    private static final int ROUNDS = 2;

    private final Map<EncodedKey, Note> notes = new LinkedHashMap<>(); // the oldest first
    private long rounds;
    private long gaps;

    private record Note(long state, long round, long gap) {}

    /** Returns whether the listeners know that this is what is there. */
    synchronized boolean isKnown(EncodedKey key, long state) {
        Note note = notes.get(key);
        return note != null && note.state == state && (state != Command.ABSENT || note.gap == gaps);
    }

    /** Notes what the listeners know. Returns false if a note had to go that was needed: something may be told twice. */
    synchronized boolean note(EncodedKey key, long state) {
        notes.remove(key);
        notes.put(key, new Note(state, rounds, gaps));
        if (notes.size() <= MOST_NOTES) {
            return true;
        }
        Iterator<Note> oldest = notes.values().iterator();
        boolean isNeeded = oldest.next().round + ROUNDS > rounds;
        oldest.remove();
        return !isNeeded;
    }

    /** The listeners know something else by now, or nobody knows. */
    synchronized void forget(EncodedKey key) {
        notes.remove(key);
    }

    /**
     * Something was stored, perhaps, and not told: whoever has looked since may know of more than that there was nothing. A value that
     * is there still is the same one.
     */
    synchronized void missed() {
        gaps++;
    }

    /** As {@link #missed()}, of one key. */
    synchronized void missed(EncodedKey key) {
        if (isKnown(key, Command.ABSENT)) {
            notes.remove(key);
        }
    }

    /** One more round is over. */
    synchronized void passed() {
        rounds++;
    }

    synchronized void clear() {
        notes.clear();
    }
}
