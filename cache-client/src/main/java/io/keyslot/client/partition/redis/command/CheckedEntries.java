// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupCommand.Expected;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

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
