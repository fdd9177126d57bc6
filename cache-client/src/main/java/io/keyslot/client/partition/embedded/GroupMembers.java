// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A group's members as a command first read them and changed them, despite expiry. Called with the slot locked. */
final class GroupMembers {
    private final StoredEntries entries;
    private final EntryForm form;
    private final GroupIndexes indexes;
    private final EmbeddedEffects effects;
    private final long nowNanos;
    private final Map<EncodedKey, Optional<EmbeddedEntry>> members = new HashMap<>();
    private final Set<EncodedKey> changed = new HashSet<>();

    GroupMembers(StoredEntries entries, EntryForm form, GroupIndexes indexes, EmbeddedEffects effects) {
        this.entries = entries;
        this.form = form;
        this.indexes = indexes;
        this.effects = effects;
        this.nowNanos = entries.nowNanos();
    }

    long nowNanos() {
        return nowNanos;
    }

    @Nullable
    EmbeddedEntry find(EncodedKey key) {
        return members.computeIfAbsent(key, wanted -> Optional.ofNullable(entries.find(wanted)))
                .orElse(null);
    }

    Lookup entry(EncodedKey key) {
        return form.read(key, find(key));
    }

    @Nullable
    StoredAggregate aggregate(EncodedKey key) {
        EmbeddedEntry found = find(key);
        StoredAggregate aggregate = found == null ? null : found.aggregate();
        return aggregate != null && aggregate.epoch() == form.epoch() ? aggregate : null;
    }

    /** Returns the type, in a server's words, of an entry or aggregate of another kind, which must not be replaced. */
    Optional<String> inTheWayOf(EncodedKey key, AggregateKind kind) {
        StoredAggregate aggregate = aggregate(key);
        if (aggregate == null) {
            return entry(key).isFound() ? Optional.of(AggregateKind.COUNTER.typeName()) : Optional.empty();
        }
        AggregateKind found = aggregate.model().kind();
        return found == kind ? Optional.empty() : Optional.of(found.typeName());
    }

    void set(EncodedKey key, @Nullable EmbeddedEntry next) {
        members.put(key, Optional.ofNullable(next));
        changed.add(key);
    }

    /** Sets the changed model; one without elements is removed. */
    void set(EncodedKey key, AggregateModel model, long stamp, Expiry expiry) {
        EmbeddedEntry present = aggregate(key) == null ? null : find(key);
        StoredAggregate next = new StoredAggregate(form.epoch(), stamp, model);
        EmbeddedEntry stored = present == null ? EmbeddedEntry.lasting(next) : present.with(next);
        set(key, model.isEmpty() ? null : stored.expiring(expiry, nowNanos));
    }

    void store() {
        for (EncodedKey key : changed) {
            EmbeddedEntry next = find(key);
            entries.change(key, before -> new StoredEntries.Change<>(true, next));
            if (next == null) {
                effects.removed(key);
            } else if (next.aggregate() == null) {
                effects.stored(key, next);
            } else {
                indexes.storedAggregate(key, next);
            }
        }
    }
}
