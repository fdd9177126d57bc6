// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.queue;

import java.util.Optional;

/**
 * A delivery of a message. Thread-safe.
 *
 * <p>The methods that send something return false, and do nothing, if the message was delivered again after the lease had
 * ended, became a dead letter, is completed, or was lost. They throw {@code OutcomeUnknownException} if the partition did not
 * answer, and can be repeated then; {@code false} may mean that the first attempt has succeeded.
 *
 * @param <E> the type of the message
 */
public interface QueueMessage<E> {
    /** Returns the message, which belongs to the caller. */
    E value();

    /** Returns the session. */
    Optional<String> session();

    /** Returns the number of deliveries of this message up to this one; those before it became a dead letter included. */
    long deliveries();

    /** Removes the message, also if the lease has ended, but it was not delivered again. Returns whether it did. */
    boolean complete();

    /** Ends the lease, so that the message is delivered again at once. Returns whether it did. */
    boolean abandon();

    /** Starts the lease anew. Returns whether it did. */
    boolean renew();
}
