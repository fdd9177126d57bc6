// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ordered side effects of writing entries of a cache, but not leases and negatives; all keys carry them. Immutable.
 */
public record WriteEffects(List<WriteEffect> all) {
    public static final WriteEffects NONE = new WriteEffects(List.of());

    private static final WriteEffect INDEX = new Index();

    /** The index of the entry's group lists its name. */
    public static final WriteEffects INDEXED = new WriteEffects(List.of(INDEX));

    public WriteEffects {
        all = List.copyOf(all);
    }

    public boolean isNone() {
        return all.isEmpty();
    }

    public boolean areIndexed() {
        return all.contains(INDEX);
    }

    public List<EncodedKey> keys(EncodedKey written) {
        return all.stream().map(effect -> effect.key(written)).toList();
    }

    /** Returns these effects, followed by the others that are not among them. */
    public WriteEffects and(WriteEffects others) {
        Set<WriteEffect> both = new LinkedHashSet<>(all);
        return both.addAll(others.all) ? new WriteEffects(List.copyOf(both)) : this;
    }

    private record Index() implements WriteEffect {
        @Override
        public String name() {
            return "indexed";
        }

        @Override
        public EncodedKey key(EncodedKey written) {
            return GroupHome.of(written).index();
        }

        @Override
        public byte[] argument(EncodedKey written) {
            return GroupHome.of(written).nameOf(written).bytes();
        }
    }

    /**
     * A side effect of every write of an entry, in the same atomic step, on a key of its own in the slot of the entry. The
     * engine implements storing, removing and changing the expiry by its name. Immutable, with value equality.
     */
    public interface WriteEffect {
        /** Returns the name of the kind, in lower case. */
        String name();

        /** Returns the key that the effect updates. */
        EncodedKey key(EncodedKey written);

        byte[] argument(EncodedKey written);
    }
}
