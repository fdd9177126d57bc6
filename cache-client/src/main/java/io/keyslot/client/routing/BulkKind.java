// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts a list of items to one command, and its answer to one reply for each item. */
interface BulkKind<I, A, R> {
    EncodedKey keyOf(I item);

    boolean isWrite();

    /** Returns whether the answer does not tell for each item whether it was executed. */
    boolean isAnsweredAsOne();

    @Nullable
    Place placeOf(EncodedKey key, Topology newest);

    Command<A> commandFor(List<I> items);

    int count(A answer, int asked);

    Reply<R> replyAt(int i, A answer);
}
