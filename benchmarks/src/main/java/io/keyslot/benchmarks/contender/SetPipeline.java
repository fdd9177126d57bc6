// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code SET}s in one flush over a shared connection: the fastest way of plain Lettuce for values that expire. */
public final class SetPipeline {
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final SetArgs options;
    private final List<AsyncCommand<byte[], byte[], String>> commands = new ArrayList<>();

    public SetPipeline(StatefulRedisConnection<byte[], byte[]> connection, SetArgs options) {
        this.connection = connection;
        this.options = options;
    }

    public void add(byte[] key, byte[] value) {
        CommandArgs<byte[], byte[]> arguments =
                new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(key).addValue(value);
        options.build(arguments);
        commands.add(new AsyncCommand<>(
                new Command<>(CommandType.SET, new StatusOutput<>(ByteArrayCodec.INSTANCE), arguments)));
    }

    public void send() {
        connection.dispatch(commands);
    }

    public void await(Duration atMost) {
        if (!LettuceFutures.awaitAll(atMost, commands.toArray(RedisFuture[]::new))) {
            throw new IllegalStateException("%d SETs were not answered within %s".formatted(commands.size(), atMost));
        }
    }
}
