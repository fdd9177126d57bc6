// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import io.keyslot.client.partition.ConnectFailure;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Sends occasional queries to one address, apart from the connections for commands. Thread-safe. */
public interface NodeDoor extends AutoCloseable {
    String address();

    /** Sends a query over a new connection within the connect timeout. Fails only with a {@link ConnectFailure}. */
    <T> CompletableFuture<T> ask(Function<RedisAsyncCommands<byte[], byte[]>, CompletableFuture<T>> question);

    @Override
    void close();
}
