// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.cache.failure.CodecException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the objects of one value, so that a second occurrence is written as a number. Not thread-safe.
 *
 * <p>Inside the elements of a hash set and the keys of a hash map, containers and records are written again: otherwise
 * a few bytes could describe a key whose hash code takes years, or never ends.
 */
final class References {
    /** Larger tables are not kept for the next value. */
    private static final int MAX_KEPT = 4096;

    static final int NONE = -1;

    /** Replaces objects that were skipped. */
    static final Object UNREAD = new Object[0];

    /** Each one requires a search for its class. */
    private static final int MOST_UNKNOWN = 16;

    private final Types types;
    private IdentityHashMap<Object, Integer> written = new IdentityHashMap<>();
    private int writtenCount;
    private final BitSet unfinished = new BitSet();
    private List<@Nullable Object> read = new ArrayList<>();
    private int hashedDepth;
    private int skippedDepth;
    private int unknownTypes;

    References(Types types) {
        this.types = types;
    }

    /** Returns the number with which the object is written, {@link #NONE} if it has to be written itself. */
    int writtenId(Object object) {
        Integer id = written.get(object);
        if (id == null
                || (types.areOfKeys() && !unfinished.get(id))
                || (hashedDepth > 0 && types.of(object.getClass()).isHashedByContent())) {
            return NONE;
        }
        if (unfinished.get(id)) {
            throw new CodecException("Codec kryo: the value has a cycle through an immutable %s, which cannot be built"
                    .formatted(object.getClass().getName()));
        }
        return id;
    }

    void addWritten(Object object) {
        written.put(object, writtenCount++);
    }

    /** Returns the number of an object that is about to be read. */
    int addRead() {
        read.add(null);
        return read.size() - 1;
    }

    void setRead(int id, @Nullable Object object) {
        read.set(id, object);
    }

    @SuppressWarnings("ReferenceEquality") // compares identities
    Object read(int id) {
        Object object = id < 0 || id >= read.size() ? null : read.get(id);
        if (object == null || (object == UNREAD && !isSkipping())) {
            throw new KryoException("A reference to an object that does not exist yet");
        }
        if (hashedDepth > 0 && types.of(object.getClass()).isHashedByContent()) {
            throw new KryoException("A reference to a container within a key of a hash table");
        }
        return object;
    }

    /** Marks the object that was added last as one that cannot be referred to yet. */
    int beginBuilt() {
        int id = writtenCount - 1;
        unfinished.set(id);
        return id;
    }

    void endBuilt(int id) {
        if (id != NONE) {
            unfinished.clear(id);
        }
    }

    /** Begins to skip a part of the value, and returns the number of its first object. */
    int beginSkipped() {
        skippedDepth++;
        return read.size();
    }

    /** Ends skipping. If a class was unknown, objects outside cannot refer to the skipped ones. */
    void endSkipped(int first) {
        skippedDepth--;
        if (unknownTypes > 0) {
            Collections.fill(read.subList(first, read.size()), UNREAD);
        }
    }

    boolean isSkipping() {
        return skippedDepth > 0;
    }

    void addUnknown() {
        unknownTypes++;
        if (unknownTypes > MOST_UNKNOWN) {
            throw new KryoException("A value has too many classes that are not known here");
        }
    }

    /** Begins an element of a container; if it is hashed, that is a key of its table. */
    void begin(boolean isHashed) {
        hashedDepth += isHashed ? 1 : 0;
    }

    void end(boolean isHashed) {
        hashedDepth -= isHashed ? 1 : 0;
    }

    void reset() {
        if (writtenCount > MAX_KEPT) {
            written = new IdentityHashMap<>();
        } else if (writtenCount > 0) {
            written.clear();
        }
        if (read.size() > MAX_KEPT) {
            read = new ArrayList<>();
        } else {
            read.clear();
        }
        writtenCount = 0;
        unfinished.clear();
        hashedDepth = 0;
        skippedDepth = 0;
        unknownTypes = 0;
    }
}
