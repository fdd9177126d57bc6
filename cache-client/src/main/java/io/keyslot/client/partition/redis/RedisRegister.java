// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;
import io.keyslot.client.register.Ballot;
import io.keyslot.client.register.DecidedValue;
import io.keyslot.client.register.Generation;
import io.keyslot.client.register.RegisterText;
import io.keyslot.client.register.RegisterValue;
import io.keyslot.client.register.Stamp;
import io.keyslot.client.stored.EncodedKey;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to a voter. The server run is for servers that do not reveal theirs to scripts. Unreadable replies become
 * {@link AcceptorAnswer.Silent}, no vote.
 */
final class RedisRegister {
    private static final Pattern INCARNATION = Pattern.compile("[A-Za-z0-9.-]{0,80}");

    private RedisRegister() {}

    static CompletableFuture<Reply<AcceptorAnswer>> ask(
            CommandWriter writer, String serverRun, RegisterCommand command) {
        EncodedKey key = new InternalKeys(command.namespace()).register();
        if (command.request() instanceof AcceptorRequest.ReadStamp) {
            byte[][] words = Resp.arguments(key, "copy.gen", "copy.seq", "copy.version", "life", "reign");
            return writer.write(writer.bare(
                    CommandType.HMGET, Resp.nested(), words, Route.ANY, answer -> stamped(answer, serverRun)));
        }
        ScriptCall call = call(key, serverRun, command.request());
        return writer.write(writer.script(call, Resp.nested(), Route.ANY, RedisRegister::read));
    }

    /** Reads the state of a voter over a connection that is used for nothing else. */
    static CompletableFuture<AcceptorAnswer> recall(
            RedisAsyncCommands<byte[], byte[]> connection, String namespace, String serverRun) {
        return connection
                .<List<Object>>eval(
                        Script.REGISTER_READ.text(),
                        ScriptOutputType.MULTI,
                        new byte[][] {new InternalKeys(namespace).register().bytes()},
                        serverRun.getBytes(StandardCharsets.UTF_8))
                .thenApply(RedisRegister::read)
                .toCompletableFuture();
    }

    private static ScriptCall call(EncodedKey key, String serverRun, AcceptorRequest request) {
        if (request instanceof AcceptorRequest.Begin begin) {
            return ScriptCall.of(
                    Script.REGISTER_BEGIN, key, serverRun, begin.generation(), begin.nonce(), begin.expected());
        }
        if (request instanceof AcceptorRequest.Prepare prepare) {
            return ScriptCall.of(
                    Script.REGISTER_PREPARE,
                    key,
                    serverRun,
                    prepare.generation(),
                    prepare.ballot().text());
        }
        if (request instanceof AcceptorRequest.Accept accept) {
            return ScriptCall.of(
                    Script.REGISTER_ACCEPT,
                    key,
                    serverRun,
                    accept.generation(),
                    accept.ballot().text(),
                    RegisterText.of(accept.value()),
                    accept.voter(),
                    accept.previous());
        }
        if (request instanceof AcceptorRequest.Copy copy) {
            DecidedValue decided = copy.decided();
            return ScriptCall.of(
                    Script.REGISTER_COPY,
                    key,
                    decided.generation(),
                    decided.value().sequence(),
                    decided.value().version(),
                    RegisterText.of(decided.value()));
        }
        return ScriptCall.of(Script.REGISTER_READ, key, serverRun);
    }

    private static AcceptorAnswer read(List<Object> answer) {
        try {
            return answerOf(answer);
        } catch (IllegalArgumentException e) {
            return unreadable(e);
        }
    }

    private static AcceptorAnswer unreadable(IllegalArgumentException why) {
        return new AcceptorAnswer.Silent(
                why instanceof NumberFormatException
                        ? "what is stored is no number where there must be one"
                        : String.valueOf(why.getMessage()));
    }

    private static AcceptorAnswer answerOf(List<Object> answer) {
        String word = text(answer, 0);
        return switch (word) {
            case "BEGUN" -> new AcceptorAnswer.Begun(incarnation(answer, 1));
            case "LIVES" -> new AcceptorAnswer.Incarnations(incarnation(answer, 1));
            case "CHANGED" -> new AcceptorAnswer.Changed(incarnation(answer, 1), Ballot.shown(text(answer, 2)));
            case "PROMISED" ->
                new AcceptorAnswer.Promised(
                        incarnation(answer, 1), Ballot.shown(text(answer, 2)), value(text(answer, 3)));
            case "ACCEPTED" -> new AcceptorAnswer.Accepted(incarnation(answer, 1));
            case "BEHIND" -> new AcceptorAnswer.Behind(Ballot.shown(text(answer, 1)));
            case "LOST" -> new AcceptorAnswer.Lost();
            case "GENERATION" -> new AcceptorAnswer.OtherGeneration(Generation.parse(text(answer, 1)));
            case "NOVOTE" -> new AcceptorAnswer.NoVote(incarnation(answer, 1));
            case "COPIED" -> new AcceptorAnswer.Copied();
            case "RIVAL" -> new AcceptorAnswer.Rival(Generation.parse(text(answer, 1)));
            case "VIEWED" -> viewed(answer);
            default -> throw new IllegalArgumentException("our scripts do not answer that");
        };
    }

    /** Decodes the fields of the hash, which have no leading word. */
    private static AcceptorAnswer stamped(List<Object> fields, String serverRun) {
        try {
            Generation generation = generation(text(fields, 0));
            return new AcceptorAnswer.Stamped(
                    generation == null
                            ? null
                            : new Stamp(generation, Long.parseLong(text(fields, 1)), Long.parseLong(text(fields, 2))),
                    text(fields, 4).equals(serverRun) ? incarnation(fields, 3) : "");
        } catch (IllegalArgumentException e) {
            return unreadable(e);
        }
    }

    private static AcceptorAnswer.Viewed viewed(List<Object> answer) {
        String copied = text(answer, 7);
        RegisterValue copy = value(text(answer, 8));
        return new AcceptorAnswer.Viewed(
                generation(text(answer, 3)),
                incarnation(answer, 2),
                text(answer, 1).equals("1"),
                Ballot.shown(text(answer, 4)),
                Ballot.shown(text(answer, 5)),
                value(text(answer, 6)),
                copied.isEmpty() || copy == null ? null : new DecidedValue(Generation.parse(copied), copy));
    }

    private static @Nullable Generation generation(String text) {
        return text.isEmpty() ? null : Generation.parse(text);
    }

    private static @Nullable RegisterValue value(String text) {
        return text.isEmpty() ? null : RegisterText.parse(text);
    }

    /** An incarnation becomes part of the text that all voters store, so it must not contain any of its separators. */
    private static String incarnation(List<Object> answer, int index) {
        String incarnation = text(answer, index);
        if (!INCARNATION.matcher(incarnation).matches()) {
            throw new IllegalArgumentException("what is stored as a life is none");
        }
        return incarnation;
    }

    private static String text(List<Object> answer, int index) {
        return index < answer.size() && answer.get(index) instanceof byte[] bytes ? Resp.text(bytes) : "";
    }
}
