// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupCommand.Expected;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.redis.GroupInstructions.PutBatch;
import io.keyslot.client.partition.redis.Script.Use;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A group command, encoded for {@code group.lua}, which documents the keys and arguments. */
final class GroupRequest {
    /** The maximal number of keys of one {@code EXISTS}; Lua's {@code unpack} fails at 8,000. */
    private static final int MAX_CHECKED = 1_000;

    private final GroupCommand command;
    private final RedisSession session;
    private final GroupInstructions instructions;
    private final List<EncodedKey> keys = new ArrayList<>();
    private final List<byte[]> arguments = new ArrayList<>();

    GroupRequest(GroupCommand command, RedisSession session) {
        this.command = command;
        this.session = session;
        CheckedEntries checked = CheckedEntries.of(command);
        this.instructions = new GroupInstructions(session, command.steps(), checked);
        keys.addAll(List.of(
                command.home().stamps(), command.home().lock(), command.home().nothing()));
        if (session.isGuarded()) {
            add("guarded");
        }
        if (command.fencingToken() != 0) {
            add("token", session.lockBytes(command.fencingToken()));
        }
        addAggregates();
        addEntries("present", checked.present());
        addEntries("absent", checked.allAbsent());
        addEntries("present", checked.presentPuts());
        addPrecautions();
        keys.addAll(instructions.keys());
        if (session.isGuarded()) {
            addPlacesOfPuts();
        }
        arguments.addAll(instructions.words());
        if (instructions.areIndexed()) {
            keys.add(command.home().index());
        }
    }

    ScriptCall call() {
        Use use = command.isRepeatable() ? Use.READS : instructions.takesMemory() ? Use.STORES : Use.FREES;
        return new ScriptCall(
                instructions.areIndexed() ? Script.GROUP.indexed() : Script.GROUP.alone(), use, keys, arguments);
    }

    GroupReply read(List<? extends @Nullable Object> answer) {
        int outcome = (int) Resp.number(answer.get(0));
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
        return keys.get((int) Resp.number(answer.get(1)) - 1);
    }

    private static String detail(List<? extends @Nullable Object> answer) {
        return Resp.element(answer.get(2)).text();
    }

    /** Not needed if a put is the only step, or the first write without a check of rights: the server refuses that. */
    private boolean asksForMemory() {
        return instructions.takesMemory() && (instructions.areSeveral() || !isFirstWritePut());
    }

    private boolean isFirstWritePut() {
        return command.steps().stream()
                .filter(GroupStep::isWrite)
                .findFirst()
                .map(GroupStep.PutEntry.class::isInstance)
                .orElse(false);
    }

    private void addEntries(String word, List<Expected> entries) {
        for (List<Expected> some : Slices.of(entries, MAX_CHECKED)) {
            add(word, Resp.word(some.size()));
            for (Expected expected : some) {
                keys.add(expected.key());
                arguments.add(session.header(expected.key(), expected.stamp()));
            }
        }
    }

    private void addAggregates() {
        Map<EncodedKey, byte[]> expectedStamps = new LinkedHashMap<>();
        Map<EncodedKey, AggregateKind> kinds = new HashMap<>();
        for (Expected expected : command.expectations()) {
            if (expected.kind() != null) {
                kinds.put(expected.key(), expected.kind());
                expectedStamps.put(expected.key(), Resp.binary(expected.stamp()));
            }
        }
        for (GroupStep step : command.steps()) {
            if (step.kind() != null) {
                kinds.putIfAbsent(step.key(), step.kind());
                expectedStamps.putIfAbsent(step.key(), new byte[0]);
            }
        }
        if (!kinds.isEmpty()) {
            add("use", session.epochBytes(), Resp.binary(command.stamp()), Resp.word(kinds.size()));
            expectedStamps.forEach((key, stamp) -> addAggregate(key, Objects.requireNonNull(kinds.get(key)), stamp));
        }
    }

    private void addAggregate(EncodedKey key, AggregateKind kind, byte[] expectedStamp) {
        keys.add(key);
        arguments.add(session.header(key, Command.ABSENT));
        arguments.add(command.home().nameOf(key).bytes());
        arguments.add(Resp.word(kind.typeName()));
        arguments.add(expectedStamp);
    }

    /** With several steps, no command may be refused after the first change. */
    private void addPrecautions() {
        if (asksForMemory()) {
            add("reserve");
        }
        if (instructions.areSeveral()) {
            add("allow", Resp.word(instructions.commands().size()));
            instructions.commands().forEach(this::add);
            if (instructions.listsEntries()) {
                add("indexed");
            }
        }
    }

    /** Where foreign keys are possible, they must be detected before the first change. */
    private void addPlacesOfPuts() {
        Map<EncodedKey, Integer> places = new HashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            places.put(keys.get(i), i + 1);
        }
        List<EncodedKey> puts = command.steps().stream()
                .filter(step -> step instanceof GroupStep.PutEntry)
                .map(GroupStep::key)
                .distinct()
                .toList();
        if (!puts.isEmpty()) {
            add("free", Resp.word(puts.size()));
            for (EncodedKey key : puts) {
                arguments.add(Resp.word(Objects.requireNonNull(places.get(key))));
                arguments.add(session.header(key));
            }
        }
    }

    private void add(String word, byte[]... others) {
        arguments.add(Resp.word(word));
        arguments.addAll(List.of(others));
    }

    /**
     * The expected entries of a group command, in the order in which {@code group.lua} checks them. Entries that the first
     * instruction puts are checked last: their keys are sent once, and the put knows what they hold. Free of I/O.
     *
     * @param present must exist, and are not put first
     * @param absent must not exist, and are not put first
     * @param absentPuts must not exist, and are put first
     * @param presentPuts must exist, and are put first
     */
    record CheckedEntries(
            List<Expected> present, List<Expected> absent, List<Expected> absentPuts, List<Expected> presentPuts) {
        static final CheckedEntries NONE = new CheckedEntries(List.of(), List.of(), List.of(), List.of());

        static CheckedEntries of(GroupCommand command) {
            List<Expected> entries = command.expectations().stream()
                    .filter(expected -> expected.kind() == null)
                    .toList();
            PutBatch first = leading(command.steps());
            Predicate<Expected> isPut = expected -> first.puts(expected.key());
            Predicate<Expected> isAbsent = expected -> expected.stamp() == Command.ABSENT;
            return new CheckedEntries(
                    those(entries, isAbsent.or(isPut).negate()),
                    those(entries, isAbsent.and(isPut.negate())),
                    those(entries, isAbsent.and(isPut)),
                    those(entries, isPut.and(isAbsent.negate())));
        }

        private static PutBatch leading(List<GroupStep> steps) {
            PutBatch puts = new PutBatch();
            for (GroupStep step : steps) {
                if (!(step instanceof GroupStep.PutEntry put) || !puts.accepts(put)) {
                    break;
                }
                puts.add(put);
            }
            return puts;
        }

        private static List<Expected> those(List<Expected> entries, Predicate<Expected> are) {
            return entries.stream().filter(are).toList();
        }

        List<Expected> allAbsent() {
            return Stream.concat(absent.stream(), absentPuts.stream()).toList();
        }

        /** Returns the keys that the first instruction contains already, in their order. */
        List<EncodedKey> putFirst() {
            return Stream.concat(absentPuts.stream(), presentPuts.stream())
                    .map(Expected::key)
                    .toList();
        }
    }
}
