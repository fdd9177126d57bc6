// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.queue;

import java.time.Duration;
import java.util.Optional;

/**
 * A queue whose messages are spread over {@value #FRAGMENTS} fragments, each in the slots of one partition. Thread-safe.
 *
 * <ul>
 *   <li>Each acknowledged message is delivered at least once, unless its partition loses its data.
 *   <li>Messages without a session have no order. Those of a session are delivered in the order in which they were sent,
 *       each after the previous one was completed or has become a dead letter.
 *   <li>A message that was delivered as often as the queue's {@code deliveries} says, and was not completed, becomes a dead
 *       letter: a message of the queue with this name and {@code .dead} behind it, which has no order and accepts no sends.
 * </ul>
 *
 * @param <E> the type of the messages
 */
public interface PartitionedQueue<E> {
    /** The number of fragments of a queue. */
    int FRAGMENTS = 16;

    /** Returns the name. */
    String name();

    /** Sends a message to any fragment whose partition answers and that has space; see {@link #send(Object, SendOptions)}. */
    default void send(E message) {
        send(message, SendOptions.NONE);
    }

    /**
     * Sends a message. When it returns, the message is stored, or one with the same id was before.
     *
     * @throws io.keyslot.cache.failure.PartitionUnavailableException if nothing was stored, because the partition of the
     *     fragment is missing, or all partitions are if the message may be in any fragment
     * @throws io.keyslot.cache.failure.CacheOverloadedException if nothing was stored, because the fragment is full, or all
     *     fragments that answer are
     * @throws io.keyslot.cache.failure.OutcomeUnknownException if the message may or may not be stored. With a message id,
     *     it can be sent again without being stored twice
     * @throws io.keyslot.cache.failure.LimitExceededException if it is larger than {@code limits.valueBytes}
     * @throws IllegalStateException if this is a queue of dead letters, or the manager is closed
     */
    void send(E message, SendOptions options);

    /**
     * Receives a message of any partition that answers, and leases it to the caller: until the lease ends, it is not
     * delivered again. Missing partitions are not waited for.
     *
     * @param wait how long to wait for a message, from 0 to 1 day; an interrupt ends the wait
     * @return empty if there was none
     * @throws io.keyslot.cache.failure.PartitionUnavailableException if no partition answered until the end
     * @throws io.keyslot.cache.failure.CodecException if the message cannot be read; it is delivered again after its lease,
     *     and becomes a dead letter like others
     */
    Optional<QueueMessage<E>> receive(Duration wait);
}
