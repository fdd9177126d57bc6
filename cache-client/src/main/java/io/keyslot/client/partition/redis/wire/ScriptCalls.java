// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.Reply;
import io.lettuce.core.protocol.CommandType;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Calls scripts that answer yes or no. */
public final class ScriptCalls {
    private final CommandWriter writer;
    private final long mapVersion;

    public ScriptCalls(CommandWriter writer, long mapVersion) {
        this.writer = writer;
        this.mapVersion = mapVersion;
    }

    public CompletableFuture<Reply<Boolean>> send(ScriptCall call) {
        return writer.write(command(call));
    }

    /** Prepares a call, which the writer sends. */
    public RoutedCommand<?, Boolean> command(ScriptCall call) {
        return command(call, RespAnswers::isOne);
    }

    /** Prepares a call that answers a number. */
    public RoutedCommand<Long, Long> counting(ScriptCall call) {
        return command(call, Function.identity());
    }

    private <R> RoutedCommand<Long, R> command(ScriptCall call, Function<Long, R> decoder) {
        return writer.script(call.script(), (type, name) -> command(type, name, call, decoder));
    }

    private <R> RoutedCommand<Long, R> command(
            CommandType type, String name, ScriptCall call, Function<Long, R> decoder) {
        byte[][] arguments = Requests.bareScript(name, call.keys(), call.arguments());
        return writer.command(type, RespAnswers.integer(), arguments, mapVersion, decoder);
    }
}
