// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.embedded.StoredEntries.Change;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.WriteEffects;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The indexes of groups, which outlive their members. Called with the lock of the group's slot held. */
final class GroupIndexes implements EmbeddedEffects.Kind {
    private static final Element NO_SCORE = Element.of(0);
    private static final long ANY_STAMP = 1;

    private final StoredEntries entries;
    private final int epoch;

    GroupIndexes(StoredEntries entries, int epoch) {
        this.entries = entries;
        this.epoch = epoch;
    }

    @Override
    public void stored(WriteEffects.WriteEffect effect, EncodedKey key, EmbeddedEntry entry) {
        list(GroupHome.of(key), key, entry);
    }

    void list(GroupHome home, EncodedKey key, EmbeddedEntry entry) {
        add(home.index(), AggregateKind.SORTED_SET, List.of(NO_SCORE, home.nameOf(key)), entry);
    }

    /** Keeps the name; a reader of the index finds no entry and removes the name. */
    @Override
    public void removed(WriteEffects.WriteEffect effect, EncodedKey key) {}

    void storedAggregate(EncodedKey key, EmbeddedEntry stored) {
        GroupHome home = GroupHome.of(key);
        add(aggregates(home), AggregateKind.SET, List.of(home.nameOf(key)), stored);
    }

    /** Returns the key of the names of aggregates, which a server has with their stamps. */
    static EncodedKey aggregates(GroupHome home) {
        return EncodedKey.of(home.stamps().text() + ":aggregates");
    }

    private void add(EncodedKey index, AggregateKind kind, List<Element> arguments, EmbeddedEntry member) {
        entries.change(index, present -> {
            AggregateModel model = modelOf(present, kind);
            boolean isNew = model.isEmpty();
            model.execute(
                    kind == AggregateKind.SET ? AggregateOperation.SET_ADD : AggregateOperation.SORTED_ADD, arguments);
            StoredAggregate next = new StoredAggregate(epoch, ANY_STAMP, model);
            EmbeddedEntry kept = isNew || present == null ? EmbeddedEntry.lasting(next) : present.with(next);
            return new Change<>(true, kept.expiring(longest(isNew ? null : present, member), entries.nowNanos()));
        });
    }

    private Expiry longest(@Nullable EmbeddedEntry index, EmbeddedEntry member) {
        long now = entries.nowNanos();
        long ofMember = member.millisLeft(now);
        if (ofMember < 0 || (index != null && index.millisLeft(now) < 0)) {
            return Expiry.NEVER;
        }
        long nanos = Math.max(index == null ? 0 : index.nanosLeft(now), member.nanosLeft(now));
        return Expiry.afterMillis(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }

    /** Sets the expiry of an index; returns 1 if it exists, or 0. */
    long expire(EncodedKey index, Expiry expiry) {
        return entries.change(
                index,
                present -> new Change<>(
                        present == null ? 0L : 1L,
                        present == null ? null : present.expiring(expiry, entries.nowNanos())));
    }

    void forget(EncodedKey index, AggregateKind kind, List<Element> names) {
        entries.change(index, present -> {
            AggregateModel model = modelOf(present, kind);
            model.execute(
                    kind == AggregateKind.SET ? AggregateOperation.SET_REMOVE : AggregateOperation.SORTED_REMOVE,
                    names);
            if (present == null || model.isEmpty()) {
                return new Change<>(true, null);
            }
            return new Change<>(true, present.with(new StoredAggregate(epoch, ANY_STAMP, model)));
        });
    }

    /** Returns the names in an index, which must not be modified. */
    AggregateModel find(EncodedKey index, AggregateKind kind) {
        return modelOf(entries.find(index), kind);
    }

    private AggregateModel modelOf(@Nullable EmbeddedEntry present, AggregateKind kind) {
        StoredAggregate index = present == null ? null : present.aggregate();
        return index == null || index.epoch() != epoch ? AggregateModel.empty(kind) : index.model();
    }
}
