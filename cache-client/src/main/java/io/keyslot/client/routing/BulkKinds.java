// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrackedLookup;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class BulkKinds {
    static final BulkKind<EncodedKey, List<Lookup>, Lookup> GET = new GetAll();
    static final BulkKind<EncodedKey, List<TrackedLookup>, TrackedLookup> GET_TRACKED = new GetAllTracked();
    static final BulkKind<Command.Put, List<Reply<Boolean>>, Boolean> PUT = new PutAll();
    static final BulkKind<EncodedKey, Long, Boolean> REMOVE = new RemoveAll();

    private BulkKinds() {}

    private abstract static class Reading<R> implements BulkKind<EncodedKey, List<R>, R> {
        @Override
        public final boolean isWrite() {
            return false;
        }

        /** Repeating a read is cheap and loses nothing. */
        @Override
        public final boolean isAnsweredAsOne() {
            return false;
        }

        @Override
        public final EncodedKey keyOf(EncodedKey item) {
            return item;
        }

        @Override
        public final @Nullable Place placeOf(EncodedKey key, Topology newest) {
            return newest.placeOf(key);
        }

        @Override
        public final int count(List<R> answer, int asked) {
            return answer.size();
        }
    }

    private static final class GetAll extends Reading<Lookup> {
        @Override
        public Command<List<Lookup>> commandFor(List<EncodedKey> items) {
            return new Command.GetAll(items);
        }

        @Override
        public Reply<Lookup> replyAt(int i, List<Lookup> answer) {
            return Reply.ofOne(answer.get(i));
        }
    }

    private static final class GetAllTracked extends Reading<TrackedLookup> {
        @Override
        public Command<List<TrackedLookup>> commandFor(List<EncodedKey> items) {
            return new Command.GetAllTracked(items);
        }

        @Override
        public Reply<TrackedLookup> replyAt(int i, List<TrackedLookup> answer) {
            TrackedLookup found = answer.get(i);
            return Reply.ofOne(found.lookup()) instanceof Reply.Refused<Lookup> refused
                    ? refused.as()
                    : Reply.done(found);
        }
    }

    private static final class PutAll implements BulkKind<Command.Put, List<Reply<Boolean>>, Boolean> {
        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public boolean isAnsweredAsOne() {
            return false;
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
     * Also removes an entry whose key has lost its place in a placement; it would become readable once the key has a
     * place again.
     */
    private static final class RemoveAll implements BulkKind<EncodedKey, Long, Boolean> {
        @Override
        public boolean isWrite() {
            return true;
        }

        @Override
        public boolean isAnsweredAsOne() {
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
