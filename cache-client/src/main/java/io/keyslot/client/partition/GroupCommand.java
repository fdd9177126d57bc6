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
 * Does things to the members of one group together: all of them, or none if it is not {@link GroupReply.Applied}.
 *
 * <p>First the token and the expectations are checked, then whether every key holds what its steps are about, and
 * only then is anything changed. Steps with an operation that may fail stand alone: a command with several steps has
 * none. A member is one thing in all steps: an entry, or one kind of aggregate.
 *
 * @param home the group of all keys
 * @param fencingToken the token that the group's lock must have, 0 for whatever
 * @param expectations what must be as it was
 * @param steps in their order
 * @param stamp of everything that is changed; entries have it in their envelopes already
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

    @Override
    public CommandKind<GroupReply> kind() {
        return CommandKind.GROUP;
    }

    /**
     * That something has this stamp.
     *
     * @param kind what the aggregate is, null for an entry
     * @param stamp {@link Command#ABSENT} if there must be none
     */
    public record Expected(EncodedKey key, @Nullable AggregateKind kind, long stamp) {}
}
