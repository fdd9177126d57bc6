// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.entry;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The commands of a group's lock, each a script. */
public record LockCommands(CommandWriter writer, Requests requests, long mapVersion) {
    public CompletableFuture<Reply<Long>> lock(Command.Lock command) {
        return evaluate(
                Script.LOCK,
                List.of(command.home().lock(), command.home().stamps()),
                requests.lock(command),
                Function.identity());
    }

    public CompletableFuture<Reply<Boolean>> renew(Command.RenewLock command) {
        return evaluate(
                Script.RENEW_LOCK, List.of(command.home().lock()), requests.renewLock(command), RespAnswers::isOne);
    }

    public CompletableFuture<Reply<Boolean>> unlock(Command.Unlock command) {
        return evaluate(
                Script.UNLOCK,
                List.of(command.home().lock(), command.home().stamps()),
                requests.unlock(command),
                RespAnswers::isOne);
    }

    private <R> CompletableFuture<Reply<R>> evaluate(
            Script script, List<EncodedKey> keys, List<byte[]> arguments, Function<Long, R> decoder) {
        return writer.write(
                writer.script(script.alone(), (type, name) -> command(type, name, keys, arguments, decoder)));
    }

    private <R> RoutedCommand<Long, R> command(
            CommandType type, String name, List<EncodedKey> keys, List<byte[]> arguments, Function<Long, R> decoder) {
        return writer.command(
                type, RespAnswers.integer(), Requests.bareScript(name, keys, arguments), mapVersion, decoder);
    }
}
