// SPDX-License-Identifier: Apache-2.0
/**
 * Event loops whose work a thread can do itself while it waits for a reply, so that nobody has to be woken up for it.
 *
 * <p>{@link io.keyslot.client.partition.redis.eventloop.CallerDriven} is what a connection sees of one; {@link
 * io.keyslot.client.partition.redis.eventloop.EventLoops} makes them.
 */
@NullMarked
package io.keyslot.client.partition.redis.eventloop;

import org.jspecify.annotations.NullMarked;
