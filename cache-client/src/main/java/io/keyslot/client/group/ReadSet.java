// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The read set of a transaction: what one run of its work knows of entries and aggregates, as they were read, with stamps,
 * and as the run has changed them since. What was read is part of what the commit expects as soon as the work has used it.
 * Pure; for use by one thread.
 */
final class ReadSet {
    private static final String ENTRY = "entry";

    private final String root;
    private final long ownStamp;
    private final Map<EncodedKey, Known> known = new LinkedHashMap<>();
    private final Set<EncodedKey> used = new LinkedHashSet<>();

    /**
     * @param root of the group, for messages
     * @param ownStamp of what the run changes
     */
    ReadSet(String root, long ownStamp) {
        this.root = root;
        this.ownStamp = ownStamp;
    }

    /** Returns whether the run knows how this is. */
    boolean knows(EncodedKey key) {
        return known.containsKey(key);
    }

    /** Returns whether the work has used this already. */
    boolean hasUsed(EncodedKey key) {
        return used.contains(key);
    }

    /** Takes in what was answered to reads; returns how many bytes that is. */
    long learn(List<GroupStep> reads, List<@Nullable Object> answers) {
        long bytes = 0;
        for (int i = 0; i < reads.size(); i++) {
            Object answer = Objects.requireNonNull(answers.get(i), "what a read answers");
            if (reads.get(i) instanceof GroupStep.ReadAggregate read) {
                GroupStep.Contents contents = (GroupStep.Contents) answer;
                known.put(read.key(), new KnownAggregate(read.key(), read.kind(), contents, ownStamp));
                bytes += contents.elements().stream()
                        .mapToLong(element -> element.length())
                        .sum();
            } else {
                KnownEntry entry = KnownEntry.read(reads.get(i).key(), (Lookup) answer);
                known.put(reads.get(i).key(), entry);
                bytes += entry.sizeBytes();
            }
        }
        return bytes;
    }

    /** Returns an entry that is known, or of which nothing was read. */
    KnownEntry entry(EncodedKey key) {
        used.add(key);
        if (known.computeIfAbsent(key, KnownEntry::unread) instanceof KnownEntry entry) {
            return entry;
        }
        throw otherwiseUsed(ENTRY);
    }

    /** Returns an aggregate that is known. */
    KnownAggregate aggregate(EncodedKey key, AggregateKind kind) {
        used.add(key);
        if (known.get(key) instanceof KnownAggregate aggregate && aggregate.kind() == kind) {
            return aggregate;
        }
        throw otherwiseUsed(kind.typeName());
    }

    private WrongTypeException otherwiseUsed(String asked) {
        return new WrongTypeException(
                "Group %s: one transaction uses a key as a %s and as something else; use another name for one of them"
                        .formatted(root, asked));
    }

    /** Returns the stamps of all that was read. */
    List<GroupCommand.Expected> expected() {
        return known.values().stream().flatMap(one -> one.expected().stream()).toList();
    }

    /** Returns the stamps that were read of what the work has used. */
    List<GroupCommand.Expected> usedBefore() {
        return used.stream()
                .flatMap(key -> Objects.requireNonNull(known.get(key), "what was used is known").expected().stream())
                .toList();
    }

    /** Returns the stamps that everything changed has as soon as the changes are applied. */
    List<GroupCommand.Expected> changedAfterwards() {
        return known.values().stream().flatMap(one -> one.afterwards().stream()).toList();
    }

    /** Returns what reads all that the work has used. */
    List<GroupStep> reads() {
        return usedBefore().stream().map(ReadSet::readOf).toList();
    }

    private static GroupStep readOf(GroupCommand.Expected expected) {
        AggregateKind kind = expected.kind();
        return kind == null
                ? new GroupStep.ReadEntry(expected.key())
                : new GroupStep.ReadAggregate(expected.key(), kind);
    }

    /** Returns what the run takes to be there where something of another type was found. */
    String nameOf(GroupReply reply) {
        return reply instanceof GroupReply.WrongType wrong && known.get(wrong.key()) instanceof KnownAggregate aggregate
                ? aggregate.kind().typeName()
                : ENTRY;
    }

    /** Returns what a read takes to be there. */
    static String nameOf(GroupStep read) {
        AggregateKind kind = read.kind();
        return kind == null ? ENTRY : kind.typeName();
    }
}
