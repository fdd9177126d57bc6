// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Reply;
import io.lettuce.core.protocol.CommandType;
import java.util.concurrent.CompletableFuture;

/** Calls scripts that answer yes or no. */
final class ScriptCalls {
    private final CommandWriter writer;
    private final long mapVersion;

    ScriptCalls(CommandWriter writer, long mapVersion) {
        this.writer = writer;
        this.mapVersion = mapVersion;
    }

    CompletableFuture<Reply<Boolean>> send(ScriptCall call) {
        return writer.write(command(call));
    }

    /** Prepares a call, which the writer sends. */
    RoutedCommand<?, Boolean> command(ScriptCall call) {
        return writer.script(
                command(CommandType.EVALSHA, call.script().digest(), call),
                () -> command(CommandType.EVAL, call.script().text(), call));
    }

    private RoutedCommand<Long, Boolean> command(CommandType type, String name, ScriptCall call) {
        byte[][] arguments = Requests.bareScript(name, call.keys(), call.arguments());
        return writer.command(type, Answers.integer(), arguments, mapVersion, Answers::isOne);
    }
}
