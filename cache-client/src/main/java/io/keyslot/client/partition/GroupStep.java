// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of a {@link GroupCommand}. An aggregate with a stamp of another epoch counts as absent: a reading step finds
 * nothing, a changing step replaces it.
 */
public sealed interface GroupStep {
    EncodedKey key();

    default boolean isWrite() {
        return this instanceof Apply apply
                ? apply.operation().isWrite()
                : !(this instanceof ReadEntry || this instanceof ReadAggregate || this instanceof TimeToLive);
    }

    default boolean mayEnlarge() {
        return this instanceof PutEntry
                || (this instanceof Apply apply && apply.operation().mayEnlarge());
    }

    /** Returns whether the step cannot be applied to some stored values. */
    default boolean mayFail() {
        return this instanceof Apply apply && apply.operation().mayFail();
    }

    default @Nullable AggregateKind kind() {
        return null;
    }

    /** Reads an entry; answers a {@link Lookup}. */
    record ReadEntry(EncodedKey key) implements GroupStep {}

    /** Stores an entry, whose envelope has the command's stamp; answers null. See {@link Command.Put}. */
    record PutEntry(EncodedKey key, Envelope envelope, Expiry onCreation, Expiry onUpdate) implements GroupStep {}

    /** Removes the entry, or any other value of the key; answers null. */
    record RemoveEntry(EncodedKey key) implements GroupStep {}

    /** Reads an aggregate's stamp and elements; answers {@link Contents}. */
    record ReadAggregate(EncodedKey key, AggregateKind kind) implements GroupStep {}

    /**
     * Applies an operation to an aggregate; the operation defines the answer. The expiry applies to the whole
     * aggregate, if the operation {@linkplain AggregateOperation#isChange changes} it; {@code UNCHANGED} means none for
     * a new one.
     */
    record Apply(EncodedKey key, AggregateOperation operation, List<Element> arguments, Expiry expiry)
            implements GroupStep {
        @Override
        public AggregateKind kind() {
            return operation.kind();
        }
    }

    /** Removes an aggregate; returns 1 if there was one, otherwise 0. */
    record DeleteAggregate(EncodedKey key, AggregateKind kind) implements GroupStep {}

    /** Sets the expiry of an aggregate and keeps its stamp; returns 1 if it exists, otherwise 0. */
    record ExpireAggregate(EncodedKey key, AggregateKind kind, Expiry expiry) implements GroupStep {}

    /** Answers the remaining milliseconds of an aggregate, -1 if it does not expire, -2 if there is none. */
    record TimeToLive(EncodedKey key, AggregateKind kind) implements GroupStep {}

    /**
     * The contents of an aggregate: the stamp of its last change, {@link Command#ABSENT} if there is none, and the
     * elements as {@code HASH_GET_ALL}, {@code LIST_RANGE}, {@code SET_GET_ALL}, {@code SORTED_BY_RANK} and
     * {@code COUNTER_GET} answer them.
     */
    record Contents(long stamp, List<Element> elements) {
        public Contents {
            elements = List.copyOf(elements);
        }
    }
}
