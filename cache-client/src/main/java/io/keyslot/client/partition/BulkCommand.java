// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.ArrayList;
import java.util.List;

/**
 * A command about items of any slots, answered with one reply for each item, in their order. The router splits it: an engine
 * receives only the parts, one for each partition.
 *
 * @param <I> an item
 * @param <A> the answer to a part
 * @param <R> the answer for an item
 */
public sealed interface BulkCommand<I, A, R> extends Command<List<Reply<R>>> {
    /** Returns the items. */
    List<I> items();

    /** Returns the key of an item, which is a key or an entry to store. */
    default EncodedKey keyOf(I item) {
        return item instanceof Command.Put put ? put.key() : (EncodedKey) item;
    }

    /** Returns the command about some of the items, for one partition. */
    Command<A> part(List<I> some);

    /** Returns the number of items that an answer to a part is about. */
    default int count(A answer, int asked) {
        return answer instanceof List<?> all ? all.size() : asked;
    }

    /** Returns the reply for the i-th item of a part. */
    Reply<R> replyAt(int i, A answer);

    @Override
    default List<EncodedKey> keys() {
        List<EncodedKey> keys = new ArrayList<>(items().size());
        items().forEach(item -> keys.add(keyOf(item)));
        return keys;
    }

    /** Reads entries. */
    record Get(List<EncodedKey> items) implements BulkCommand<EncodedKey, List<Lookup>, Lookup> {
        @Override
        public Command<List<Lookup>> part(List<EncodedKey> some) {
            return new Command.GetAll(some);
        }

        @Override
        public Reply<Lookup> replyAt(int i, List<Lookup> answer) {
            return Reply.ofOne(answer.get(i));
        }
    }

    /** Reads entries whose later changes are pushed: {@link Command.GetTracked}. */
    record GetTracked(List<EncodedKey> items) implements BulkCommand<EncodedKey, List<TrackedLookup>, TrackedLookup> {
        @Override
        public Command<List<TrackedLookup>> part(List<EncodedKey> some) {
            return new Command.GetAllTracked(some);
        }

        @Override
        public Reply<TrackedLookup> replyAt(int i, List<TrackedLookup> answer) {
            TrackedLookup found = answer.get(i);
            return Reply.ofOne(found.lookup()).map(read -> found);
        }
    }

    /** Stores entries. Of two with the same key, either may be the last. Answers for each whether it was stored. */
    record Put(List<Command.Put> items) implements BulkCommand<Command.Put, List<Reply<Boolean>>, Boolean> {
        @Override
        public Command<List<Reply<Boolean>>> part(List<Command.Put> some) {
            return new Command.PutAll(some);
        }

        @Override
        public Reply<Boolean> replyAt(int i, List<Reply<Boolean>> answer) {
            return answer.get(i);
        }
    }

    /**
     * Removes entries; the replies do not tell whether they existed. An entry that was stored before a placement refused its
     * key is removed, too: it would be read again when the key has a place again.
     */
    record Remove(List<EncodedKey> items) implements BulkCommand<EncodedKey, Long, Boolean> {
        @Override
        public Command<Long> part(List<EncodedKey> some) {
            return new Command.RemoveAll(some);
        }

        @Override
        public Reply<Boolean> replyAt(int i, Long answer) {
            return Reply.done(true);
        }
    }
}
