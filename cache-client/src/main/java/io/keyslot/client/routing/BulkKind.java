// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Lookup;
import io.keyslot.client.partition.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How a list of items becomes one command, and its answer one reply for each item.
 *
 * @param <I> an item
 * @param <A> what the command is answered
 * @param <R> what an item is answered
 */
interface BulkKind<I, A, R> {
    BulkKind<EncodedKey, List<Lookup>, Lookup> GET = new GetAll();
    BulkKind<Command.Put, List<Reply<Boolean>>, Boolean> PUT = new PutAll();
    BulkKind<EncodedKey, Long, Boolean> REMOVE = new RemoveAll();

    EncodedKey keyOf(I item);

    Command<A> commandFor(List<I> items);

    /** Returns one reply for each of {@code count} items, in their order. */
    List<Reply<R>> repliesOf(A answer, int count);

    /** Reads entries. */
    final class GetAll implements BulkKind<EncodedKey, List<Lookup>, Lookup> {
        @Override
        public EncodedKey keyOf(EncodedKey item) {
            return item;
        }

        @Override
        public Command<List<Lookup>> commandFor(List<EncodedKey> items) {
            return new Command.GetAll(items);
        }

        @Override
        public List<Reply<Lookup>> repliesOf(List<Lookup> answer, int count) {
            List<Reply<Lookup>> replies = new ArrayList<>(answer.size());
            answer.forEach(lookup -> replies.add(Reply.done(lookup)));
            return replies;
        }
    }

    /** Stores entries; each has a reply of its own. */
    final class PutAll implements BulkKind<Command.Put, List<Reply<Boolean>>, Boolean> {
        @Override
        public EncodedKey keyOf(Command.Put item) {
            return item.key();
        }

        @Override
        public Command<List<Reply<Boolean>>> commandFor(List<Command.Put> items) {
            return new Command.PutAll(items);
        }

        @Override
        public List<Reply<Boolean>> repliesOf(List<Reply<Boolean>> answer, int count) {
            return answer;
        }
    }

    /** Removes entries; the answer does not say which of them had been there. */
    final class RemoveAll implements BulkKind<EncodedKey, Long, Boolean> {
        @Override
        public EncodedKey keyOf(EncodedKey item) {
            return item;
        }

        @Override
        public Command<Long> commandFor(List<EncodedKey> items) {
            return new Command.RemoveAll(items);
        }

        @Override
        public List<Reply<Boolean>> repliesOf(Long answer, int count) {
            return Collections.nCopies(count, Reply.done(true));
        }
    }
}
