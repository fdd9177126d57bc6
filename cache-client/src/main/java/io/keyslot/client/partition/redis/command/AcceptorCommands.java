// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.RegisterKey;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.RoutedCommand;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;
import io.keyslot.client.register.DecidedValue;
import io.keyslot.client.register.RegisterText;
import io.keyslot.client.stored.EncodedKey;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Sends requests to a voter. The server run is for servers that do not reveal theirs to scripts. */
public record AcceptorCommands(CommandWriter writer, String serverRun) {
    public CompletableFuture<Reply<AcceptorAnswer>> ask(RegisterCommand command) {
        EncodedKey key = RegisterKey.of(command.namespace());
        return command.request() instanceof AcceptorRequest.Glance
                ? writer.write(glance(key))
                : writer.write(script(key, command.request()));
    }

    /** Reads the state of a voter over a connection that is used for nothing else. */
    public static CompletableFuture<AcceptorAnswer> recall(
            RedisAsyncCommands<byte[], byte[]> connection, String namespace, String serverRun) {
        return connection
                .<List<Object>>eval(
                        Script.REGISTER_READ.text(),
                        ScriptOutputType.MULTI,
                        new byte[][] {RegisterKey.of(namespace).bytes()},
                        serverRun.getBytes(StandardCharsets.UTF_8))
                .thenApply(AcceptorReplies::read)
                .toCompletableFuture();
    }

    private RoutedCommand<List<Object>, AcceptorAnswer> glance(EncodedKey key) {
        byte[][] arguments =
                Requests.key(key, Requests.text("copy.gen"), Requests.text("copy.seq"), Requests.text("copy.version"));
        return writer.bare(CommandType.HMGET, RespAnswers.nested(), arguments, Route.ANY, AcceptorReplies::glanced);
    }

    private RoutedCommand<List<Object>, AcceptorAnswer> script(EncodedKey key, AcceptorRequest request) {
        if (request instanceof AcceptorRequest.Begin begin) {
            return call(
                    Script.REGISTER_BEGIN,
                    key,
                    serverRun,
                    begin.generation().toString(),
                    begin.nonce(),
                    begin.expected());
        }
        if (request instanceof AcceptorRequest.Prepare prepare) {
            return call(
                    Script.REGISTER_PREPARE,
                    key,
                    serverRun,
                    prepare.generation().toString(),
                    prepare.ballot().text());
        }
        if (request instanceof AcceptorRequest.Accept accept) {
            return call(
                    Script.REGISTER_ACCEPT,
                    key,
                    serverRun,
                    accept.generation().toString(),
                    accept.ballot().text(),
                    RegisterText.of(accept.value()),
                    accept.voter(),
                    accept.previous());
        }
        if (request instanceof AcceptorRequest.Copy copy) {
            DecidedValue decided = copy.decided();
            return call(
                    Script.REGISTER_COPY,
                    key,
                    decided.generation().toString(),
                    Long.toString(decided.value().sequence()),
                    Long.toString(decided.value().version()),
                    RegisterText.of(decided.value()));
        }
        return call(
                request instanceof AcceptorRequest.Peek ? Script.REGISTER_PEEK : Script.REGISTER_READ, key, serverRun);
    }

    private RoutedCommand<List<Object>, AcceptorAnswer> call(Script script, EncodedKey key, String... arguments) {
        List<byte[]> bytes = Stream.of(arguments)
                .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                .toList();
        return writer.script(ScriptCall.of(script, key, bytes), RespAnswers.nested(), Route.ANY, AcceptorReplies::read);
    }
}
