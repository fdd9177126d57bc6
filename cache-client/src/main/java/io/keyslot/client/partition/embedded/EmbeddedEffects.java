// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.WriteEffects;
import java.util.Map;

/** The effects of storing and removing entries in this process. Called with the lock of the slot held. */
record EmbeddedEffects(EmbeddedGroups groups, Map<String, Kind> others) {
    private static final String INDEXED = "indexed";

    interface Kind {
        void stored(WriteEffects.WriteEffect effect, EncodedKey key, EmbeddedEntry entry);

        void removed(WriteEffects.WriteEffect effect, EncodedKey key);
    }

    void stored(EncodedKey key, EmbeddedEntry entry) {
        for (WriteEffects.WriteEffect effect : key.effects().all()) {
            if (effect.name().equals(INDEXED)) {
                groups.listEntry(key, entry);
            } else {
                kindOf(effect).stored(effect, key, entry);
            }
        }
    }

    /** An index keeps the name; its reader finds no entry and removes the name. */
    void removed(EncodedKey key) {
        for (WriteEffects.WriteEffect effect : key.effects().all()) {
            if (!effect.name().equals(INDEXED)) {
                kindOf(effect).removed(effect, key);
            }
        }
    }

    private Kind kindOf(WriteEffects.WriteEffect effect) {
        Kind kind = others.get(effect.name());
        if (kind == null) {
            throw new IllegalStateException("The embedded engine does not know the effect " + effect.name());
        }
        return kind;
    }
}
