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

/**
 * The members of a group during one command: each as it was when the command looked for it first, and as its steps have
 * made it since. So it makes no difference whether one expires or is evicted meanwhile.
 *
 * <p>Used by a thread that holds the lock of the group's slot.
 */
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

    /** Returns what is there, whatever it is. */
    @Nullable
    EmbeddedEntry find(EncodedKey key) {
        return members.computeIfAbsent(key, wanted -> Optional.ofNullable(entries.find(wanted)))
                .orElse(null);
    }

    Lookup entry(EncodedKey key) {
        return form.read(key, find(key));
    }

    /** Returns the aggregate of this epoch, or null if there is none. */
    @Nullable
    StoredAggregate aggregate(EncodedKey key) {
        EmbeddedEntry found = find(key);
        StoredAggregate aggregate = found == null ? null : found.aggregate();
        return aggregate != null && aggregate.epoch() == form.epoch() ? aggregate : null;
    }

    /** Returns what an aggregate of this kind cannot replace, as a server calls it: an entry or one of another kind. */
    Optional<String> inTheWayOf(EncodedKey key, AggregateKind kind) {
        StoredAggregate aggregate = aggregate(key);
        if (aggregate == null) {
            return entry(key).isFound() ? Optional.of(AggregateKind.COUNTER.typeName()) : Optional.empty();
        }
        AggregateKind found = aggregate.model().kind();
        return found == kind ? Optional.empty() : Optional.of(found.typeName());
    }

    /** Lets something, or nothing, be there from now on. */
    void set(EncodedKey key, @Nullable EmbeddedEntry next) {
        members.put(key, Optional.ofNullable(next));
        changed.add(key);
    }

    /** Lets the changed model be there from now on; without elements it is none. */
    void set(EncodedKey key, AggregateModel model, long stamp, Expiry expiry) {
        EmbeddedEntry present = aggregate(key) == null ? null : find(key);
        StoredAggregate next = new StoredAggregate(form.epoch(), stamp, model);
        EmbeddedEntry stored = present == null ? EmbeddedEntry.lasting(next) : present.with(next);
        set(key, model.isEmpty() ? null : stored.expiring(expiry, nowNanos));
    }

    /** Stores what was changed. */
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
