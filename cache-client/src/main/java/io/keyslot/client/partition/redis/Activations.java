// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;

/**
 * Tells when connections can be used. Safe for use by several threads.
 *
 * <p>Lettuce ends its own handshake on a thread of the common pool at times. Then it hands the connection out while the event
 * loop has still to tell it of its channel, and refuses commands meanwhile: "Currently not connected".
 */
final class Activations implements RedisConnectionStateListener {
    private final Map<Object, CompletableFuture<SocketAddress>> known = new WeakHashMap<>(); // guarded by this

    /** Returns the address of the server once commands are taken; the future fails if the channel was lost before. */
    synchronized CompletableFuture<SocketAddress> of(Object connection) {
        return known.computeIfAbsent(connection, first -> new CompletableFuture<>());
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress socketAddress) {
        of(connection).complete(socketAddress);
    }

    /** Of one that was in use, this changes nothing. */
    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        of(connection).completeExceptionally(new ClosedChannelException());
    }
}
