// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupCommand.Expected;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.ImpossibleOperationException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a {@link GroupCommand}: checks the token, the expectations and the types, applies the steps to the
 * members in memory, and stores the changes.
 *
 * <p>{@link #run} is called with the lock of the group's slot held. That makes it atomic: each change of a single key
 * takes this lock too, and nothing fails after the first of several steps has begun.
 */
final class GroupExecution {
    private final GroupCommand command;
    private final EntryForm form;
    private final GroupMembers members;

    GroupExecution(GroupCommand command, EntryForm form, GroupMembers members) {
        this.command = command;
        this.form = form;
        this.members = members;
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

    /** The lock is stored as the epoch and the token of its holder. */
    private boolean holdsLock(long token) {
        EmbeddedEntry lock = members.find(command.home().lock());
        byte[] expected = ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(form.epoch())
                .putLong(token)
                .array();
        return lock != null && Arrays.equals(lock.bytes(), expected);
    }

    private Optional<GroupReply> conflict() {
        return command.expectations().stream()
                .filter(expected -> stampOf(expected) != expected.stamp())
                .findFirst()
                .map(expected -> new GroupReply.Conflict(expected.key()));
    }

    private long stampOf(Expected expected) {
        if (expected.kind() == null) {
            return members.entry(expected.key()).stamp();
        }
        StoredAggregate present = members.aggregate(expected.key());
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

    private Optional<GroupReply> wrongType(EncodedKey key, @Nullable AggregateKind kind) {
        return kind == null
                ? Optional.empty()
                : members.inTheWayOf(key, kind).map(found -> new GroupReply.WrongType(key, found));
    }

    private GroupReply runSteps() {
        GroupSteps steps = new GroupSteps(members, form, command.stamp());
        List<@Nullable Object> answers = new ArrayList<>(command.steps().size());
        for (GroupStep step : command.steps()) {
            try {
                answers.add(steps.run(step));
            } catch (ImpossibleOperationException e) {
                // It is the only step, so nothing was changed.
                return new GroupReply.Impossible(step.key(), String.valueOf(e.getMessage()));
            }
        }
        members.store();
        return new GroupReply.Applied(answers);
    }
}
