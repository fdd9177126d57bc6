// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import io.keyslot.client.partition.ConnectFailure;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A way to ask one address something beside the connections that commands are sent on. Safe for use by several threads. */
public interface NodeDoor extends AutoCloseable {
    /** Returns where it leads, without credentials. */
    String address();

    /**
     * Asks over a connection of its own, within the connect timeout, and closes it. Does not throw; the future completes
     * exceptionally only with a {@link ConnectFailure}.
     */
    <T> CompletableFuture<T> ask(Function<RedisAsyncCommands<byte[], byte[]>, CompletableFuture<T>> question);

    @Override
    void close();
}
