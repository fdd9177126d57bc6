// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FeedCommand.Kind;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupCommand.Expected;
import io.keyslot.client.partition.GroupReply;
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
import io.keyslot.client.partition.embedded.EmbeddedEntry.Aggregate;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.AggregateModel.ImpossibleOperationException;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a {@link GroupCommand}: checks the token, the expectations and the types, applies the steps to the
 * members in memory, and stores the changes.
 *
 * <p>{@link #run} is called with the lock of the group's slot held. That makes it atomic: each change of a single key
 * takes this lock too, and nothing fails after the first of several steps has begun. Members are used as they were first
 * read, even if they expire meanwhile.
 */
final class GroupExecution {
    private final GroupCommand command;
    private final StoredEntries entries;
    private final int epoch;
    private final EmbeddedGroups groups;
    private final long nowNanos;
    private final Map<EncodedKey, Optional<EmbeddedEntry>> members = new HashMap<>();
    private final Set<EncodedKey> changed = new HashSet<>();

    GroupExecution(GroupCommand command, StoredEntries entries, int epoch, EmbeddedGroups groups) {
        this.command = command;
        this.entries = entries;
        this.epoch = epoch;
        this.groups = groups;
        this.nowNanos = entries.nowNanos();
    }

    GroupReply run() {
        return obstacle().orElseGet(this::runSteps);
    }

    private Optional<GroupReply> obstacle() {
        return lostLock().or(this::conflict).or(this::wrongType);
    }

    private Optional<GroupReply> lostLock() {
        boolean isHeld = command.fencingToken() == 0 || holdsLock(command.fencingToken());
        return isHeld ? Optional.empty() : Optional.of(new GroupReply.LockLost());
    }

    private boolean holdsLock(long token) {
        EmbeddedEntry lock = find(command.home().lock());
        return lock != null && Arrays.equals(lock.bytes(), EmbeddedGroups.lockBytes(epoch, token));
    }

    private Optional<GroupReply> conflict() {
        return command.expectations().stream()
                .filter(expected -> stampOf(expected) != expected.stamp())
                .findFirst()
                .map(expected -> new GroupReply.Conflict(expected.key()));
    }

    private long stampOf(Expected expected) {
        if (expected.kind() == null) {
            return entry(expected.key()).stamp();
        }
        Aggregate present = aggregate(expected.key());
        return present == null || present.model().kind() != expected.kind() ? Command.ABSENT : present.stamp();
    }

    private Optional<GroupReply> wrongType() {
        for (Expected expected : command.expectations()) {
            Optional<GroupReply> wrong = wrongType(expected.key(), expected.kind());
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        for (GroupStep step : command.steps()) {
            Optional<GroupReply> wrong = wrongType(step.key(), step.kind());
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    /** An entry, or an aggregate of another kind, must not be replaced by an aggregate. */
    private Optional<GroupReply> wrongType(EncodedKey key, @Nullable AggregateKind kind) {
        if (kind == null) {
            return Optional.empty();
        }
        Aggregate aggregate = aggregate(key);
        if (aggregate == null) {
            // The type of an entry, in a server's words, is that of a counter.
            return entry(key).isFound()
                    ? Optional.of(new GroupReply.WrongType(key, AggregateKind.COUNTER.typeName()))
                    : Optional.empty();
        }
        AggregateKind found = aggregate.model().kind();
        return found == kind ? Optional.empty() : Optional.of(new GroupReply.WrongType(key, found.typeName()));
    }

    private GroupReply runSteps() {
        List<@Nullable Object> answers = new ArrayList<>(command.steps().size());
        for (GroupStep step : command.steps()) {
            try {
                answers.add(run(step));
            } catch (ImpossibleOperationException e) {
                // It is the only step, so nothing was changed.
                return new GroupReply.Impossible(step.key(), String.valueOf(e.getMessage()));
            }
        }
        store();
        return new GroupReply.Applied(answers);
    }

    private @Nullable Object run(GroupStep step) {
        if (step instanceof ReadEntry read) {
            return entry(read.key());
        }
        if (step instanceof PutEntry put) {
            return put(put);
        }
        if (step instanceof RemoveEntry remove) {
            return remove(remove.key());
        }
        if (step instanceof ReadAggregate read) {
            return contents(read.key());
        }
        if (step instanceof Apply apply) {
            return apply(apply);
        }
        if (step instanceof DeleteAggregate delete) {
            return delete(delete.key());
        }
        return step instanceof ExpireAggregate expire ? expire(expire) : timeToLive(((TimeToLive) step).key());
    }

    private @Nullable Object put(PutEntry put) {
        set(
                put.key(),
                EmbeddedEntry.put(
                        put.key(), put.envelope(), epoch, find(put.key()), put.onCreation(), put.onUpdate(), nowNanos));
        return null;
    }

    private @Nullable Object remove(EncodedKey key) {
        EmbeddedEntry present = find(key);
        if (present == null || !present.isForeign(key)) {
            set(key, null);
        }
        return null;
    }

    private Contents contents(EncodedKey key) {
        Aggregate present = aggregate(key);
        return present == null
                ? new Contents(Command.ABSENT, List.of())
                : new Contents(present.stamp(), present.model().elements());
    }

    /** Sets the changed model; one without elements is removed. */
    private @Nullable Object apply(Apply apply) {
        Aggregate before = aggregate(apply.key());
        AggregateModel model =
                before == null ? AggregateModel.empty(apply.operation().kind()) : before.model();
        Object answer = model.execute(apply.operation(), apply.arguments());
        if (apply.operation().isChange(answer)) {
            EmbeddedEntry present = before == null ? null : find(apply.key());
            Aggregate next = new Aggregate(epoch, command.stamp(), model);
            EmbeddedEntry stored = present == null ? EmbeddedEntry.lasting(next) : present.with(next);
            set(apply.key(), model.isEmpty() ? null : stored.expiring(apply.expiry(), nowNanos));
        }
        return answer;
    }

    private long delete(EncodedKey key) {
        boolean isThere = aggregate(key) != null;
        set(key, null);
        return isThere ? 1 : 0;
    }

    private long expire(ExpireAggregate step) {
        EmbeddedEntry present = living(step.key());
        if (present == null) {
            return 0;
        }
        set(step.key(), present.expiring(step.expiry(), nowNanos));
        return 1;
    }

    private long timeToLive(EncodedKey key) {
        EmbeddedEntry present = living(key);
        return present == null ? -2 : present.millisLeft(nowNanos);
    }

    private @Nullable EmbeddedEntry living(EncodedKey key) {
        return aggregate(key) == null ? null : find(key);
    }

    private @Nullable EmbeddedEntry find(EncodedKey key) {
        return members.computeIfAbsent(key, wanted -> Optional.ofNullable(entries.find(wanted)))
                .orElse(null);
    }

    private Lookup entry(EncodedKey key) {
        EmbeddedEntry found = find(key);
        return found == null ? Lookup.absent() : found.read(key, epoch);
    }

    private @Nullable Aggregate aggregate(EncodedKey key) {
        EmbeddedEntry found = find(key);
        Aggregate aggregate = found == null ? null : found.aggregate();
        return aggregate != null && aggregate.epoch() == epoch ? aggregate : null;
    }

    private void set(EncodedKey key, @Nullable EmbeddedEntry next) {
        members.put(key, Optional.ofNullable(next));
        changed.add(key);
    }

    private void store() {
        appendToFeeds();
        for (EncodedKey key : changed) {
            EmbeddedEntry next = find(key);
            entries.change(key, before -> new StoredEntries.Change<>(true, next));
            // An index keeps the name of a removed entry; its reader finds none and removes the name.
            if (next != null && next.aggregate() != null) {
                groups.listAggregate(key, next);
            } else if (next != null && key.isIndexed()) {
                groups.listEntry(key, next);
            }
        }
    }

    private void appendToFeeds() {
        EncodedKey root = EncodedKey.of(command.home().tag());
        Set<Feed> ofGroup = new HashSet<>();
        for (GroupStep step : command.steps()) {
            if (step instanceof PutEntry put) {
                entries.feeds().append(put.key(), Kind.PUT, command.stamp(), put.envelope());
            } else if (step instanceof RemoveEntry remove) {
                entries.feeds().append(remove.key(), Kind.REMOVE, command.stamp(), null);
            } else if (step.isWrite()
                    && step.key().feed() != null
                    && ofGroup.add(step.key().feed())) {
                entries.feeds().append(root.in(step.key().feed()), Kind.GROUP, command.stamp(), null);
            }
        }
    }
}
