// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.aggregate.AggregateKind;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Group.Expected;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Lookup;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A group command as keys and arguments of {@code group.lua}, which says what they are; and how its answer is read. */
final class GroupRequest {
    private final Command.Group command;
    private final Requests requests;
    private final GroupInstructions instructions;
    private final List<EncodedKey> keys = new ArrayList<>();
    private final List<byte[]> arguments = new ArrayList<>();

    /** @param entryReader says what bytes are under a key */
    GroupRequest(
            Command.Group command, Requests requests, BiFunction<EncodedKey, byte @Nullable [], Lookup> entryReader) {
        this.command = command;
        this.requests = requests;
        this.instructions = new GroupInstructions(requests, entryReader, command.steps());
        keys.addAll(List.of(
                command.home().stamps(), command.home().lock(), command.home().nothing()));
        arguments.add(bytes(requests.epoch()));
        arguments.add(Requests.stamp(command.stamp()));
        arguments.add(command.fencingToken() == 0 ? new byte[0] : token(command.fencingToken()));
        add(asksForMemory() ? 1 : 0);
        addEntries();
        addAggregates();
        addCommands();
        keys.addAll(instructions.keys());
        arguments.addAll(instructions.words());
    }

    /** Returns the arguments of {@code EVALSHA}, or {@code EVAL} with the source as name. */
    CommandArgs<byte[], byte[]> arguments(String name) {
        CommandArgs<byte[], byte[]> all =
                new CommandArgs<>(ByteArrayCodec.INSTANCE).add(name).add(keys.size());
        keys.forEach(key -> all.addKey(key.bytes()));
        arguments.forEach(all::addValue);
        return all;
    }

    /** Returns what came of the command. */
    GroupReply read(List<? extends @Nullable Object> answer) {
        int outcome = (int) NativeAnswer.number(answer.get(0));
        return switch (outcome) {
            case 0 -> new GroupReply.Applied(instructions.read(answer.subList(1, answer.size())));
            case 1 -> new GroupReply.Conflict(key(answer));
            case 2 -> new GroupReply.WrongType(key(answer), detail(answer));
            case 3 -> new GroupReply.Impossible(key(answer), detail(answer));
            case 4 -> new GroupReply.LockLost();
            default -> throw new IllegalStateException("group.lua answers 0 to 4");
        };
    }

    private EncodedKey key(List<? extends @Nullable Object> answer) {
        return keys.get((int) NativeAnswer.number(answer.get(1)) - 1);
    }

    private static String detail(List<? extends @Nullable Object> answer) {
        return NativeAnswer.element(answer.get(2)).text();
    }

    /** If the first write is a put in one piece, the server refuses that. */
    private boolean asksForMemory() {
        return instructions.takesMemory()
                && !command.steps().stream()
                        .filter(GroupStep::isWrite)
                        .findFirst()
                        .map(GroupRequest::isPutInOnePiece)
                        .orElse(false);
    }

    private static boolean isPutInOnePiece(GroupStep step) {
        return step instanceof GroupStep.PutEntry put && !Parts.isFor(put.envelope());
    }

    private void addEntries() {
        List<Expected> entries = command.expectations().stream()
                .filter(expected -> expected.kind() == null)
                .toList();
        add(entries.size());
        for (Expected expected : entries) {
            keys.add(expected.key());
            arguments.add(requests.header(expected.key(), expected.stamp()));
        }
    }

    private void addAggregates() {
        int at = arguments.size();
        Set<EncodedKey> added = new HashSet<>();
        for (Expected expected : command.expectations()) {
            if (expected.kind() != null) {
                addAggregate(expected.key(), expected.kind(), Requests.stamp(expected.stamp()));
                added.add(expected.key());
            }
        }
        for (GroupStep step : command.steps()) {
            if (step.kind() != null && added.add(step.key())) {
                addAggregate(step.key(), step.kind(), new byte[0]);
            }
        }
        arguments.add(at, Requests.text(Integer.toString((arguments.size() - at) / 4)));
    }

    private void addAggregate(EncodedKey key, AggregateKind kind, byte[] expectedStamp) {
        keys.add(key);
        arguments.add(requests.header(key, Command.ABSENT));
        arguments.add(command.home().nameOf(key).bytes());
        arguments.add(Requests.text(kind.typeName()));
        arguments.add(expectedStamp);
    }

    /** One write alone is refused or not. Where there are more, none must be refused after the first. */
    private void addCommands() {
        List<GroupStep> writes =
                command.steps().stream().filter(GroupStep::isWrite).toList();
        boolean isOneWrite = writes.size() == 1
                && (writes.get(0) instanceof GroupStep.RemoveEntry || isPutInOnePiece(writes.get(0)));
        Set<String> names = !writes.isEmpty() && !isOneWrite ? instructions.commands() : Set.of();
        add(names.size());
        names.forEach(name -> arguments.add(Requests.text(name)));
    }

    private void add(int number) {
        arguments.add(Requests.text(Integer.toString(number)));
    }

    private static byte[] bytes(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private byte[] token(long token) {
        return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(requests.epoch())
                .putLong(token)
                .array();
    }
}
