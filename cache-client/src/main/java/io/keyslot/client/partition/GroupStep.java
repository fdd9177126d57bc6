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
 * One of the things that a {@link GroupCommand} does, in their order. Each says what it answers.
 *
 * <p>An aggregate whose stamp is not of this epoch counts as none: a step that reads finds nothing, one that changes
 * replaces it.
 */
public sealed interface GroupStep {
    EncodedKey key();

    /** Returns whether it may change something. */
    boolean isWrite();

    /** Returns whether there may be more afterwards than before. */
    default boolean mayEnlarge() {
        return this instanceof PutEntry
                || (this instanceof Apply apply && apply.operation().mayEnlarge());
    }

    /** Returns whether it is impossible with some of what may be stored. */
    default boolean mayFail() {
        return false;
    }

    /** Returns the kind of the aggregate that it is about, null if it is about an entry. */
    default @Nullable AggregateKind kind() {
        return null;
    }

    /** Answers the entry: a {@link Lookup}. */
    record ReadEntry(EncodedKey key) implements GroupStep {
        @Override
        public boolean isWrite() {
            return false;
        }
    }

    /** Stores an entry, whose envelope has the command's stamp; answers null. As {@link Command.Put}. */
    record PutEntry(EncodedKey key, Envelope envelope, Expiry onCreation, Expiry onUpdate) implements GroupStep {
        @Override
        public boolean isWrite() {
            return true;
        }
    }

    /** Removes the entry, or whatever is in its place; answers null. */
    record RemoveEntry(EncodedKey key) implements GroupStep {
        @Override
        public boolean isWrite() {
            return true;
        }
    }

    /** Answers an aggregate's stamp and all it holds: a {@link Contents}. */
    record ReadAggregate(EncodedKey key, AggregateKind kind) implements GroupStep {
        @Override
        public boolean isWrite() {
            return false;
        }
    }

    /**
     * Does an operation on an aggregate; answers what the operation says.
     *
     * @param expiry when the whole aggregate expires, if the operation {@linkplain AggregateOperation#isChange changes} it;
     *     one that is created never does if this is {@code UNCHANGED}
     */
    record Apply(EncodedKey key, AggregateOperation operation, List<Element> arguments, Expiry expiry)
            implements GroupStep {
        public Apply {
            arguments = List.copyOf(arguments);
        }

        @Override
        public boolean isWrite() {
            return operation.isWrite();
        }

        @Override
        public boolean mayFail() {
            return operation.mayFail();
        }

        @Override
        public AggregateKind kind() {
            return operation.kind();
        }
    }

    /** Removes an aggregate; answers 1 if there was one, or 0. */
    record DeleteAggregate(EncodedKey key, AggregateKind kind) implements GroupStep {
        @Override
        public boolean isWrite() {
            return true;
        }
    }

    /** Lets an aggregate expire at another time; answers 1 if there is one, or 0. Its stamp stays. */
    record ExpireAggregate(EncodedKey key, AggregateKind kind, Expiry expiry) implements GroupStep {
        @Override
        public boolean isWrite() {
            return true;
        }
    }

    /** Answers for how many milliseconds an aggregate still lives, -1 if it does not expire, -2 if there is none. */
    record TimeToLive(EncodedKey key, AggregateKind kind) implements GroupStep {
        @Override
        public boolean isWrite() {
            return false;
        }
    }

    /**
     * An aggregate as it is.
     *
     * @param stamp of its last change, {@link Command#ABSENT} if there is none
     * @param elements as {@code HASH_GET_ALL}, {@code LIST_RANGE}, {@code SET_GET_ALL}, {@code SORTED_BY_RANK} and {@code
     *     COUNTER_GET} answer them
     */
    record Contents(long stamp, List<Element> elements) {
        public Contents {
            elements = List.copyOf(elements);
        }
    }
}
