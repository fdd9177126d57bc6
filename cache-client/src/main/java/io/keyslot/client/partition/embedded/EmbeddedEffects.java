// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.WriteEffects;
import java.util.Map;

/** The effects of storing and removing entries in this process. Called with the lock of the slot held. */
final class EmbeddedEffects {
    private final Map<String, Kind> kinds;

    public EmbeddedEffects(Map<String, Kind> kinds) {
        this.kinds = kinds;
    }

    public interface Kind {
        void stored(WriteEffects.WriteEffect effect, EncodedKey key, EmbeddedEntry entry);

        void removed(WriteEffects.WriteEffect effect, EncodedKey key);
    }

    public void stored(EncodedKey key, EmbeddedEntry entry) {
        key.effects().all().forEach(effect -> kindOf(effect).stored(effect, key, entry));
    }

    public void removed(EncodedKey key) {
        key.effects().all().forEach(effect -> kindOf(effect).removed(effect, key));
    }

    private Kind kindOf(WriteEffects.WriteEffect effect) {
        Kind kind = kinds.get(effect.name());
        if (kind == null) {
            throw new IllegalStateException("The embedded engine does not know the effect " + effect.name());
        }
        return kind;
    }
}
