// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Calls scripts that answer a boolean or a number. */
public record ScriptCalls(CommandWriter writer, Route route) {
    public CompletableFuture<Reply<Boolean>> send(ScriptCall call) {
        return writer.write(command(call));
    }

    public CompletableFuture<Reply<Long>> count(ScriptCall call) {
        return writer.write(counting(call));
    }

    public RoutedCommand<?, Boolean> command(ScriptCall call) {
        return command(call, RespAnswers::isOne);
    }

    public RoutedCommand<Long, Long> counting(ScriptCall call) {
        return command(call, Function.identity());
    }

    private <R> RoutedCommand<Long, R> command(ScriptCall call, Function<Long, R> decoder) {
        return writer.script(call, RespAnswers.integer(), route, decoder);
    }
}
