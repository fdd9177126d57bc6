// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command that applies steps to members of one group: all of them, or none unless the reply is
 * {@link GroupReply.Applied}.
 *
 * <p>The partition first checks the token of the group's lock (0 for no check) and the expected stamps, then the type
 * of every key, and only then changes anything. A step that may fail must be the only one. All steps use a member in
 * the same way: as an entry, or as one kind of aggregate. All changed members get {@code stamp}, which the envelopes of
 * entries already have.
 */
public record GroupCommand(
        GroupHome home, long fencingToken, List<Expected> expectations, List<GroupStep> steps, long stamp)
        implements Command<GroupReply> {
    public GroupCommand {
        expectations = List.copyOf(expectations);
        steps = List.copyOf(steps);
        if (steps.size() > 1 && steps.stream().anyMatch(GroupStep::mayFail)) {
            throw new IllegalArgumentException("a step that may fail must be the only one");
        }
        Map<EncodedKey, Optional<AggregateKind>> uses = new HashMap<>();
        for (GroupStep step : steps) {
            Optional<AggregateKind> use = Optional.ofNullable(step.kind());
            Optional<AggregateKind> before = uses.putIfAbsent(step.key(), use);
            if (before != null && !before.equals(use)) {
                throw new IllegalArgumentException("a member must be an entry, or one kind of aggregate, in all steps");
            }
        }
    }

    @Override
    public boolean isRepeatable() {
        return steps.stream().noneMatch(GroupStep::isWrite);
    }

    @Override
    public boolean isWrite() {
        return !isRepeatable();
    }

    @Override
    public List<EncodedKey> keys() {
        return List.of(home.stamps());
    }

    @Override
    public List<EncodedKey> consulted() {
        return Stream.concat(
                        steps.stream().map(GroupStep::key),
                        expectations.stream().map(Expected::key))
                .distinct()
                .toList();
    }

    /** An expected stamp, {@link Command#ABSENT} for no member; the kind of an entry is null. */
    public record Expected(EncodedKey key, @Nullable AggregateKind kind, long stamp) {}
}
