// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
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
    EncodedKey keyOf(I item);

    /** Returns whether it may change something. */
    boolean isWrite();

    /** Returns whether the answer does not say of each item whether it was executed. */
    boolean isAnsweredAsOne();

    /** Returns who is asked about a key, null if nobody is. */
    @Nullable
    Place placeOf(EncodedKey key, Topology newest);

    Command<A> commandFor(List<I> items);

    /** Returns how many items the answer is about. */
    int count(A answer, int asked);

    /** Returns the reply to the i-th item. */
    Reply<R> replyAt(int i, A answer);
}
