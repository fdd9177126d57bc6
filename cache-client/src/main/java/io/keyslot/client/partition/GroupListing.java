// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.function.Function;

/**
 * A command on the index of a group, or on the list of its aggregates. All of them are repeatable. The index may name
 * entries that were evicted, have expired or were removed; readers ignore such names and send {@link Forget}.
 */
public sealed interface GroupListing<R> extends Command<R> {
    GroupHome home();

    @Override
    default List<EncodedKey> keys() {
        return List.of(home().index());
    }

    /**
     * A part of the index, in the order of the names: {@code from} inclusive, {@code to} exclusive, at most
     * {@code limit} names from the start or, if descending, from the end.
     */
    record Span(Element from, Element to, int limit, boolean isDescending) {}

    /** Reads the indexed entries of a span, including names without an entry. */
    record Rows(GroupHome home, Span span) implements GroupListing<List<Row>> {}

    record Row(Element name, EncodedKey key, Lookup lookup) {}

    record Names(GroupHome home, Span span) implements GroupListing<List<Element>> {}

    /** Removes names without an entry from the index; answers how many. */
    record Forget(GroupHome home, List<Element> names) implements GroupListing<Long> {}

    /** Reads the aggregates that have a stamp of this epoch. Their sizes and expiry times are read slightly later. */
    record Aggregates(GroupHome home) implements GroupListing<List<AggregateDescription>> {}

    /** Estimates the size of the group from a bounded sample. */
    record Weigh(GroupHome home) implements GroupListing<GroupWeight> {
        /** The maximum number of sampled entries, and of sampled aggregates. */
        public static final int SAMPLE = 32;
    }

    default List<EncodedKey> keysOf(List<Element> names) {
        Function<Element, EncodedKey> keyOf = home()::keyOf;
        return names.stream().map(keyOf).toList();
    }

    /** An aggregate with its approximate size on the server; {@code expiresInMillis} is negative if it does not expire. */
    record AggregateDescription(EncodedKey key, AggregateKind kind, long sizeBytes, long expiresInMillis) {}

    /**
     * The estimated size of a group: entries in its index, aggregates with a stamp, and bytes extrapolated from a sample.
     */
    record GroupWeight(long entries, long aggregates, long bytes) {}
}
