// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.GroupStep.PutEntry;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The puts of one instruction of {@code group.lua}: different keys with equal expiry and effects, in any order. */
final class PutBatch {
    /** One {@code MSET} has a key and an entry for each, and Lua's {@code unpack} fails at 8,000. */
    static final int MAX_PUTS = 1_000;

    private final Map<EncodedKey, PutEntry> puts = new LinkedHashMap<>();

    boolean isEmpty() {
        return puts.isEmpty();
    }

    boolean puts(EncodedKey key) {
        return puts.containsKey(key);
    }

    boolean accepts(PutEntry put) {
        return puts.size() < MAX_PUTS && !puts.containsKey(put.key()) && (isEmpty() || isLike(any(), put));
    }

    private static boolean isLike(PutEntry one, PutEntry other) {
        return one.onCreation().equals(other.onCreation())
                && one.onUpdate().equals(other.onUpdate())
                && one.key().effects().equals(other.key().effects());
    }

    private PutEntry any() {
        return puts.values().iterator().next();
    }

    void add(PutEntry put) {
        puts.put(put.key(), put);
    }

    List<EncodedKey> keys(CheckedEntries checked) {
        Set<EncodedKey> keys = new LinkedHashSet<>(checked.putFirst());
        keys.addAll(puts.keySet());
        return List.copyOf(keys);
    }

    List<byte[]> words(Requests requests, CheckedEntries checked, EffectWords effects) {
        List<EncodedKey> keys = keys(checked);
        List<byte[]> words = new ArrayList<>();
        words.add(Requests.text("put"));
        words.add(Requests.text(checked.absentPuts().size()));
        words.add(Requests.text(checked.presentPuts().size()));
        words.add(Requests.text(keys.size()));
        words.add(Requests.text(any().onCreation()));
        words.add(Requests.text(any().onUpdate()));
        words.add(hasEffects() ? Requests.text(lastingTogether(any())) : new byte[0]);
        words.add(effects.marks(any().key()));
        keys.forEach(key -> words.add(
                requests.bytes(key, Objects.requireNonNull(puts.get(key)).envelope())));
        words.addAll(effects.notes(keys));
        return words;
    }

    boolean hasEffects() {
        return !any().key().effects().isNone();
    }

    /** Returns the lifetime of the effects; unchanged if the script has to find out whether the puts keep an expiry. */
    private static Expiry lastingTogether(PutEntry put) {
        boolean depends = put.onUpdate().isUnchanged() && !put.onCreation().isNever();
        return depends ? Expiry.UNCHANGED : lastingFor(put);
    }

    /** Returns the lifetime of the effects of an entry. An entry that keeps its expiry may never expire. */
    static Expiry lastingFor(PutEntry put) {
        Expiry creation = put.onCreation();
        Expiry update = put.onUpdate();
        boolean mayLast = creation.isNever() || update.isNever() || update.isUnchanged();
        return mayLast ? Expiry.NEVER : new Expiry(Math.max(creation.millis(), update.millis()));
    }
}
