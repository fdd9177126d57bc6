// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;

/** Reports when connections accept commands: Lettuce sometimes returns them earlier. Thread-safe. */
final class Activations implements RedisConnectionStateListener {
    private final Map<Object, CompletableFuture<SocketAddress>> known = new WeakHashMap<>(); // guarded by this

    /** Returns the address of the server once commands are accepted; fails if the channel was lost before. */
    synchronized CompletableFuture<SocketAddress> of(Object connection) {
        return known.computeIfAbsent(connection, first -> new CompletableFuture<>());
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress socketAddress) {
        of(connection).complete(socketAddress);
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        of(connection).completeExceptionally(new ClosedChannelException());
    }
}
