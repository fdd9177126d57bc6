// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.WriteEffects;
import java.util.ArrayList;
import java.util.List;

/** The effects of all steps of a group command, encoded for {@code group.lua}. Free of I/O. */
record EffectWords(WriteEffects all) {
    /** Returns a 1 for each effect of a write under the key and a 0 for each other one; empty if it has none. */
    byte[] marks(EncodedKey key) {
        List<WriteEffects.WriteEffect> ofKey = key.effects().all();
        byte[] marks = new byte[ofKey.isEmpty() ? 0 : all.all().size()];
        for (int i = 0; i < marks.length; i++) {
            marks[i] = (byte) (ofKey.contains(all.all().get(i)) ? '1' : '0');
        }
        return marks;
    }

    /** Returns the notes on keys with the same effects: all of the first effect, then all of the next one. */
    List<byte[]> notes(List<EncodedKey> keys) {
        List<byte[]> notes = new ArrayList<>();
        for (WriteEffects.WriteEffect effect : all.all()) {
            keys.stream()
                    .filter(key -> key.effects().all().contains(effect))
                    .forEach(key -> notes.add(effect.argument(key)));
        }
        return notes;
    }
}
