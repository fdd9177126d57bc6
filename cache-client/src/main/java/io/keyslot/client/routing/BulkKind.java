// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrackedLookup;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.topology.Place;
import io.keyslot.client.topology.Topology;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a list of items becomes one command, and its answer one reply for each item.
 *
 * @param <I> an item
 * @param <A> what the command is answered
 * @param <R> what an item is answered
 */
interface BulkKind<I, A, R> {
    BulkKind<EncodedKey, List<Lookup>, Lookup> GET = new GetAll();
    BulkKind<EncodedKey, List<TrackedLookup>, TrackedLookup> GET_TRACKED = new GetAllTracked();
    BulkKind<Command.Put, List<Reply<Boolean>>, Boolean> PUT = new PutAll();
    BulkKind<EncodedKey, Long, Boolean> REMOVE = new RemoveAll();

    EncodedKey keyOf(I item);

    /** Returns whether it may change something. */
    boolean isWrite();

    /** Returns who is asked about a key, null if nobody is. */
    @Nullable
    Place placeOf(EncodedKey key, Topology newest);

    Command<A> commandFor(List<I> items);

    /** Returns how many items the answer is about. */
    int count(A answer, int asked);

    /** Returns the reply to the i-th item. */
    Reply<R> replyAt(int i, A answer);

    /** Reads entries so that their changes are told. */
    final class GetAllTracked implements BulkKind<EncodedKey, List<TrackedLookup>, TrackedLookup> {
        @Override
        public boolean isWrite() {
            return false;
        }

        @Override
        public EncodedKey keyOf(EncodedKey item) {
            return item;
        }

        @Override
        public @Nullable Place placeOf(EncodedKey key, Topology newest) {
            return newest.placeOf(key);
        }

        @Override
        public Command<List<TrackedLookup>> commandFor(List<EncodedKey> items) {
            return new Command.GetAllTracked(items);
        }

        @Override
        public int count(List<TrackedLookup> answer, int asked) {
            return answer.size();
        }

        @Override
        public Reply<TrackedLookup> replyAt(int i, List<TrackedLookup> answer) {
            TrackedLookup found = answer.get(i);
            return Reply.ofOne(found.lookup()) instanceof Reply.Refused<Lookup> refused
                    ? refused.as()
                    : Reply.done(found);
        }
    }

    /** Reads entries. */
    final class GetAll implements BulkKind<EncodedKey, List<Lookup>, Lookup> {
        @Override
        public boolean isWrite() {
            return false;
        }

        @Override
        public EncodedKey keyOf(EncodedKey item) {
            return item;
        }

        @Override
        public @Nullable Place placeOf(EncodedKey key, Topology newest) {
            return newest.placeOf(key);
        }

        @Override
        public Command<List<Lookup>> commandFor(List<EncodedKey> items) {
            return new Command.GetAll(items);
        }

        @Override
        public int count(List<Lookup> answer, int asked) {
            return answer.size();
        }

        @Override
        public Reply<Lookup> replyAt(int i, List<Lookup> answer) {
            return Reply.ofOne(answer.get(i));
        }
    }

    /** Stores entries; each has a reply of its own. */
    final class PutAll implements BulkKind<Command.Put, List<Reply<Boolean>>, Boolean> {
        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public EncodedKey keyOf(Command.Put item) {
            return item.key();
        }

        @Override
        public @Nullable Place placeOf(EncodedKey key, Topology newest) {
            return newest.placeOf(key);
        }

        @Override
        public Command<List<Reply<Boolean>>> commandFor(List<Command.Put> items) {
            return new Command.PutAll(items);
        }

        @Override
        public int count(List<Reply<Boolean>> answer, int asked) {
            return answer.size();
        }

        @Override
        public Reply<Boolean> replyAt(int i, List<Reply<Boolean>> answer) {
            return answer.get(i);
        }
    }

    /**
     * Removes entries; the answer does not say which of them had been there. What was stored before its key lost its place is
     * removed as well: nobody can read it, until the key has a place again.
     */
    final class RemoveAll implements BulkKind<EncodedKey, Long, Boolean> {
        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public @Nullable Place placeOf(EncodedKey key, Topology newest) {
            return newest.storeOf(key);
        }

        @Override
        public EncodedKey keyOf(EncodedKey item) {
            return item;
        }

        @Override
        public Command<Long> commandFor(List<EncodedKey> items) {
            return new Command.RemoveAll(items);
        }

        @Override
        public int count(Long answer, int asked) {
            return asked;
        }

        @Override
        public Reply<Boolean> replyAt(int i, Long answer) {
            return Reply.done(true);
        }
    }
}
