// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.function.Function;

/**
 * Something that is asked of the index of a group, or of the list of its aggregates. Each may be asked again.
 *
 * <p>The index has names of entries that are there no more, because they were evicted, have expired or were removed: who
 * reads it finds nothing under them, and lets them be forgotten.
 *
 * @param <R> what is answered
 */
public sealed interface GroupListing<R> extends Command<R> {
    GroupHome home();

    @Override
    default List<EncodedKey> keys() {
        return List.of(home().index());
    }

    /**
     * A part of the index, in the order of the names.
     *
     * @param from the first name, inclusive
     * @param to the last name, exclusive
     * @param limit the most names, from the first one on, or from the last one back
     */
    record Span(Element from, Element to, int limit, boolean isDescending) {}

    /** Answers the indexed entries of a span, among them what is none any more. */
    record Rows(GroupHome home, Span span) implements GroupListing<List<Row>> {
        @Override
        public CommandKind<List<Row>> kind() {
            return CommandKind.ROWS;
        }
    }

    /** What is under a name of the index. */
    record Row(Element name, EncodedKey key, Lookup lookup) {}

    /** Answers the names of a span. */
    record Names(GroupHome home, Span span) implements GroupListing<List<Element>> {
        @Override
        public CommandKind<List<Element>> kind() {
            return CommandKind.NAMES;
        }
    }

    /** Takes those names out of the index under which there is no entry; answers how many. */
    record Forget(GroupHome home, List<Element> names) implements GroupListing<Long> {
        public Forget {
            names = List.copyOf(names);
        }

        @Override
        public CommandKind<Long> kind() {
            return CommandKind.FORGET;
        }
    }

    /** Lists those of the names again under which there is an entry; answers how many were not listed. */
    record Relist(GroupHome home, List<Element> names) implements GroupListing<Long> {
        public Relist {
            names = List.copyOf(names);
        }

        @Override
        public CommandKind<Long> kind() {
            return CommandKind.RELIST;
        }
    }

    /**
     * Lets the index live on while its entries are let expire at another time, in several commands. Answers 1.
     *
     * <p>Whoever does this at the same time, and stops half way, leaves an index that does not expire.
     */
    record Hold(GroupHome home) implements GroupListing<Long> {
        @Override
        public CommandKind<Long> kind() {
            return CommandKind.HOLD;
        }
    }

    /** Lets the index expire with its entries, unless there are others by now; answers 1 if it did, or 0. */
    record Release(GroupHome home, Expiry expiry) implements GroupListing<Long> {
        @Override
        public CommandKind<Long> kind() {
            return CommandKind.RELEASE;
        }
    }

    /** Lets indexed entries expire; answers how many there were. */
    record Expire(GroupHome home, List<Element> names, Expiry expiry) implements GroupListing<Long> {
        public Expire {
            names = List.copyOf(names);
        }

        @Override
        public CommandKind<Long> kind() {
            return CommandKind.EXPIRE;
        }
    }

    /** Answers the aggregates that have a stamp of this epoch, as they are at a moment shortly after. */
    record Aggregates(GroupHome home) implements GroupListing<List<AggregateDescription>> {
        @Override
        public CommandKind<List<AggregateDescription>> kind() {
            return CommandKind.AGGREGATES;
        }
    }

    /** Answers about how large the group is, by looking at a bounded part of it. */
    record Weigh(GroupHome home) implements GroupListing<GroupWeight> {
        /** How many of the entries, and how many of the aggregates, are looked at. */
        public static final int SAMPLE = 32;

        @Override
        public CommandKind<GroupWeight> kind() {
            return CommandKind.MEASURE_KEYS;
        }
    }

    /** Returns the keys of members of the group. */
    default List<EncodedKey> keysOf(List<Element> names) {
        Function<Element, EncodedKey> keyOf = home()::keyOf;
        return names.stream().map(keyOf).toList();
    }
}
