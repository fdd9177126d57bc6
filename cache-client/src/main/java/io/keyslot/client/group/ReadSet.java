// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

    sealed interface Known permits KnownAggregate, KnownEntry {
        /** Returns the stamp at the time of the read; empty if it was only written. */
        Optional<GroupCommand.Expected> expected();

        /** Returns the stamp after the commit; empty if the run does not change it. */
        Optional<GroupCommand.Expected> afterwards();
    }

    /** An entry in a run of a transaction's work: as read, and with the changes of the run. */
    static final class KnownEntry implements Known {
        private final EncodedKey key;
        private final boolean read;
        private final long stampRead;
        private @Nullable Envelope present;
        private boolean changed;

        private KnownEntry(EncodedKey key, boolean read, @Nullable Envelope present) {
            this.key = key;
            this.read = read;
            this.stampRead = present == null ? Command.ABSENT : present.stamp();
            this.present = present;
        }

        static KnownEntry read(EncodedKey key, Lookup lookup) {
            return new KnownEntry(key, true, lookup.envelope());
        }

        static KnownEntry unread(EncodedKey key) {
            return new KnownEntry(key, false, null);
        }

        @Nullable
        Envelope present() {
            return present;
        }

        int sizeBytes() {
            return present == null ? 0 : present.sizeBytes();
        }

        /** Records that the entry will be stored, or removed if {@code next} is null. */
        void change(@Nullable Envelope next) {
            present = next;
            changed = true;
        }

        @Override
        public Optional<GroupCommand.Expected> expected() {
            return read ? Optional.of(new GroupCommand.Expected(key, null, stampRead)) : Optional.empty();
        }

        @Override
        public Optional<GroupCommand.Expected> afterwards() {
            long stamp = present == null ? Command.ABSENT : present.stamp();
            return changed ? Optional.of(new GroupCommand.Expected(key, null, stamp)) : Optional.empty();
        }
    }

    /** An aggregate in a run of a transaction's work: as read, and with the changes of the run. */
    static final class KnownAggregate implements Known {
        private final EncodedKey key;
        private final AggregateKind kind;
        private final long stampRead;
        private final long ownStamp;
        private AggregateModel model;
        private boolean changed;

        private Expiry expiry = Expiry.UNCHANGED;

        KnownAggregate(EncodedKey key, AggregateKind kind, GroupStep.Contents contents, long ownStamp) {
            this.key = key;
            this.kind = kind;
            this.stampRead = contents.stamp();
            this.ownStamp = ownStamp;
            this.model = AggregateModel.of(kind, contents.elements());
        }

        AggregateKind kind() {
            return kind;
        }

        boolean exists() {
            return !model.isEmpty();
        }

        /** Returns the expiry set by this run, {@code UNCHANGED} if it set none. */
        Expiry expiry() {
            return expiry;
        }

        /** Throws {@link AggregateModel.ImpossibleOperationException} if impossible; nothing was changed. */
        @Nullable
        Object execute(AggregateOperation operation, List<Element> arguments, Expiry then) {
            boolean isNew = model.isEmpty();
            Object answer = model.execute(operation, arguments);
            if (operation.isChange(answer)) {
                changed = true;
                expireAsChanged(isNew, then);
            }
            return answer;
        }

        /** A recreated aggregate does not inherit the expiry of its predecessor. */
        private void expireAsChanged(boolean isNew, Expiry then) {
            if (!then.isUnchanged()) {
                expiry = then;
            } else if (isNew) {
                expiry = Expiry.NEVER;
            }
        }

        void delete() {
            model = AggregateModel.empty(kind);
            changed = true;
        }

        void expire(Expiry then) {
            expiry = then;
        }

        @Override
        public Optional<GroupCommand.Expected> expected() {
            return Optional.of(new GroupCommand.Expected(key, kind, stampRead));
        }

        @Override
        public Optional<GroupCommand.Expected> afterwards() {
            long stamp = exists() ? ownStamp : Command.ABSENT;
            return changed ? Optional.of(new GroupCommand.Expected(key, kind, stamp)) : Optional.empty();
        }
    }
}
