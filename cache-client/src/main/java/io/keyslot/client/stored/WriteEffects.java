// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * All that happens together with every write of an entry: a property of its cache, which goes wherever the key goes. Leases
 * and negatives are no entries, and have none. Immutable.
 *
 * @param all in the order in which they are done
 */
public record WriteEffects(List<WriteEffect> all) {
    /** Nothing happens but the write. */
    public static final WriteEffects NONE = new WriteEffects(List.of());

    private static final WriteEffect INDEX = new Index();

    /** The name of the entry is listed in the index of its group. */
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

    /** Returns the keys of the effects of a write. */
    public List<EncodedKey> keys(EncodedKey written) {
        return all.stream().map(effect -> effect.key(written)).toList();
    }

    /** Returns these, and behind them those of the others that are not among these. */
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
}
