// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.WriteEffect;
import java.util.Map;

/** What else happens in this process when an entry is stored or removed. Called with the lock of its slot held. */
final class EmbeddedEffects {
    private final Map<String, Kind> kinds;

    /** @param kinds by the names of their effects */
    public EmbeddedEffects(Map<String, Kind> kinds) {
        this.kinds = kinds;
    }

    /** What this engine does for one kind of {@link WriteEffect}. */
    public interface Kind {
        /** Notes that an entry was stored. */
        void stored(WriteEffect effect, EncodedKey key, EmbeddedEntry entry);

        /** Notes that an entry was removed. */
        void removed(WriteEffect effect, EncodedKey key);
    }

    public void stored(EncodedKey key, EmbeddedEntry entry) {
        key.effects().all().forEach(effect -> kindOf(effect).stored(effect, key, entry));
    }

    public void removed(EncodedKey key) {
        key.effects().all().forEach(effect -> kindOf(effect).removed(effect, key));
    }

    private Kind kindOf(WriteEffect effect) {
        Kind kind = kinds.get(effect.name());
        if (kind == null) {
            throw new IllegalStateException("The embedded engine does not know the effect " + effect.name());
        }
        return kind;
    }
}
