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
 * The entries and aggregates that one run of a transaction's work has read, with their stamps and the changes of the
 * run. The commit expects the stamps of those that the work has used. Not thread-safe.
 */
final class ReadSet {
    private static final String ENTRY = "entry";

    private final String root;
    private final long ownStamp;
    private final Map<EncodedKey, Known> known = new LinkedHashMap<>();
    private final Set<EncodedKey> used = new LinkedHashSet<>();

    ReadSet(String root, long ownStamp) {
        this.root = root;
        this.ownStamp = ownStamp;
    }

    boolean knows(EncodedKey key) {
        return known.containsKey(key);
    }

    boolean hasUsed(EncodedKey key) {
        return used.contains(key);
    }

    /** Records the results of reads; returns their size in bytes. */
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

    /** Returns a known entry, or one that was not read. */
    KnownEntry entry(EncodedKey key) {
        used.add(key);
        if (known.computeIfAbsent(key, KnownEntry::unread) instanceof KnownEntry entry) {
            return entry;
        }
        throw otherwiseUsed(ENTRY);
    }

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

    List<GroupCommand.Expected> expected() {
        return known.values().stream().flatMap(one -> one.expected().stream()).toList();
    }

    /** Returns the stamps that were read of the keys that the work has used. */
    List<GroupCommand.Expected> usedBefore() {
        return used.stream()
                .flatMap(key -> Objects.requireNonNull(known.get(key), "what was used is known").expected().stream())
                .toList();
    }

    /** Returns the stamps of all changes after the commit. */
    List<GroupCommand.Expected> changedAfterwards() {
        return known.values().stream().flatMap(one -> one.afterwards().stream()).toList();
    }

    List<GroupStep> reads() {
        return usedBefore().stream().map(ReadSet::readOf).toList();
    }

    private static GroupStep readOf(GroupCommand.Expected expected) {
        AggregateKind kind = expected.kind();
        return kind == null
                ? new GroupStep.ReadEntry(expected.key())
                : new GroupStep.ReadAggregate(expected.key(), kind);
    }

    /** Returns the type that the run expected where another one was found. */
    String nameOf(GroupReply reply) {
        return reply instanceof GroupReply.WrongType wrong && known.get(wrong.key()) instanceof KnownAggregate aggregate
                ? aggregate.kind().typeName()
                : ENTRY;
    }

    static String nameOf(GroupStep read) {
        AggregateKind kind = read.kind();
        return kind == null ? ENTRY : kind.typeName();
    }
}
