// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An aggregate in a run of a transaction's work: as read, and with the changes of the run. */
final class KnownAggregate implements Known {
    private final EncodedKey key;
    private final AggregateKind kind;
    private final long stampRead;
    private final long ownStamp;
    private AggregateModel model;
    private boolean changed;

    private Expiry expiry = Expiry.UNCHANGED;

    KnownAggregate(EncodedKey key, AggregateKind kind, GroupStep.Contents contents, long ownStamp) {
        this.key = key;
        this.kind = kind;
        this.stampRead = contents.stamp();
        this.ownStamp = ownStamp;
        this.model = AggregateModel.of(kind, contents.elements());
    }

    AggregateKind kind() {
        return kind;
    }

    boolean exists() {
        return !model.isEmpty();
    }

    /** Returns the expiry set by this run, {@code UNCHANGED} if it set none. */
    Expiry expiry() {
        return expiry;
    }

    /** Throws {@link io.keyslot.client.stored.ImpossibleOperationException} if impossible; nothing was changed. */
    @Nullable
    Object execute(AggregateOperation operation, List<Element> arguments, Expiry then) {
        boolean isNew = model.isEmpty();
        Object answer = model.execute(operation, arguments);
        if (operation.isChange(answer)) {
            changed = true;
            expireAsChanged(isNew, then);
        }
        return answer;
    }

    /** A recreated aggregate does not inherit the expiry of its predecessor. */
    private void expireAsChanged(boolean isNew, Expiry then) {
        if (!then.isUnchanged()) {
            expiry = then;
        } else if (isNew) {
            expiry = Expiry.NEVER;
        }
    }

    void delete() {
        model = AggregateModel.empty(kind);
        changed = true;
    }

    void expire(Expiry then) {
        expiry = then;
    }

    @Override
    public Optional<GroupCommand.Expected> expected() {
        return Optional.of(new GroupCommand.Expected(key, kind, stampRead));
    }

    @Override
    public Optional<GroupCommand.Expected> afterwards() {
        long stamp = exists() ? ownStamp : Command.ABSENT;
        return changed ? Optional.of(new GroupCommand.Expected(key, kind, stamp)) : Optional.empty();
    }
}
