// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.GroupStep.Apply;
import io.keyslot.client.partition.GroupStep.Contents;
import io.keyslot.client.partition.GroupStep.DeleteAggregate;
import io.keyslot.client.partition.GroupStep.ExpireAggregate;
import io.keyslot.client.partition.GroupStep.PutEntry;
import io.keyslot.client.partition.GroupStep.ReadAggregate;
import io.keyslot.client.partition.GroupStep.ReadEntry;
import io.keyslot.client.partition.GroupStep.RemoveEntry;
import io.keyslot.client.partition.GroupStep.TimeToLive;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies the steps of one command to the members, after all checks. */
final class GroupSteps {
    private final GroupMembers members;
    private final EntryForm form;
    private final long stamp;

    GroupSteps(GroupMembers members, EntryForm form, long stamp) {
        this.members = members;
        this.form = form;
        this.stamp = stamp;
    }

    @Nullable
    Object run(GroupStep step) {
        return step instanceof ReadEntry read
                ? members.entry(read.key())
                : step instanceof PutEntry put
                        ? put(put)
                        : step instanceof RemoveEntry remove ? remove(remove.key()) : runOnAggregate(step);
    }

    private @Nullable Object runOnAggregate(GroupStep step) {
        return step instanceof ReadAggregate read
                ? contents(read.key())
                : step instanceof Apply apply
                        ? apply(apply)
                        : step instanceof DeleteAggregate delete
                                ? delete(delete.key())
                                : step instanceof ExpireAggregate expire
                                        ? expire(expire.key(), expire)
                                        : timeToLive(((TimeToLive) step).key());
    }

    private @Nullable Object put(PutEntry put) {
        EmbeddedEntry present = members.find(put.key());
        members.set(
                put.key(),
                form.put(put.key(), put.envelope(), present, put.onCreation(), put.onUpdate(), members.nowNanos()));
        return null;
    }

    private @Nullable Object remove(EncodedKey key) {
        if (!form.isForeign(key, members.find(key))) {
            members.set(key, null);
        }
        return null;
    }

    private Contents contents(EncodedKey key) {
        StoredAggregate present = members.aggregate(key);
        return present == null
                ? new Contents(Command.ABSENT, List.of())
                : new Contents(present.stamp(), present.model().elements());
    }

    private @Nullable Object apply(Apply apply) {
        AggregateModel model = modelOf(apply.key(), apply.operation().kind());
        Object answer = model.execute(apply.operation(), apply.arguments());
        if (apply.operation().isChange(answer)) {
            members.set(apply.key(), model, stamp, apply.expiry());
        }
        return answer;
    }

    private AggregateModel modelOf(EncodedKey key, AggregateKind kind) {
        StoredAggregate present = members.aggregate(key);
        return present == null ? AggregateModel.empty(kind) : present.model();
    }

    private long delete(EncodedKey key) {
        boolean isThere = members.aggregate(key) != null;
        members.set(key, null);
        return isThere ? 1 : 0;
    }

    private long expire(EncodedKey key, ExpireAggregate step) {
        EmbeddedEntry present = living(key);
        if (present == null) {
            return 0;
        }
        members.set(key, present.expiring(step.expiry(), members.nowNanos()));
        return 1;
    }

    private long timeToLive(EncodedKey key) {
        EmbeddedEntry present = living(key);
        return present == null ? -2 : present.millisLeft(members.nowNanos());
    }

    private @Nullable EmbeddedEntry living(EncodedKey key) {
        return members.aggregate(key) == null ? null : Objects.requireNonNull(members.find(key));
    }
}
