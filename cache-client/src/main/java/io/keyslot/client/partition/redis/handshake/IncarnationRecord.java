// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.Script;
import io.lettuce.core.ScriptOutputType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The field {@link Incarnation#FIELD} at a server. */
final class IncarnationRecord {
    private final HandshakeCommands commands;

    IncarnationRecord(HandshakeCommands commands) {
        this.commands = commands;
    }

    CompletableFuture<String> read() {
        return commands.ask(
                        "read keyslot:meta",
                        commands.redis().hget(HandshakeCommands.META, HandshakeCommands.bytes(Incarnation.FIELD)))
                .thenApply(RespAnswers::text);
    }

    /** Replaces the expected incarnation; returns the recorded one, which differs if another client was faster. */
    CompletableFuture<String> replace(String expected, Incarnation incarnation) {
        CompletionStage<byte[]> present = commands.redis()
                .eval(
                        Script.SET_INCARNATION.text(),
                        ScriptOutputType.VALUE,
                        new byte[][] {HandshakeCommands.META},
                        HandshakeCommands.bytes(expected),
                        HandshakeCommands.bytes(incarnation.text()));
        return present.handle(this::recorded).toCompletableFuture();
    }

    private String recorded(byte[] answer, @Nullable Throwable failure) {
        if (failure == null) {
            return RespAnswers.text(answer);
        }
        if (ConnectDiagnosis.isWriteRefused(failure)) {
            throw commands.failure(
                    Kind.UNREACHABLE,
                    "the server takes no writes for now, and without one nobody can say which of its"
                            + " entries are out of date");
        }
        throw new CompletionException(ConnectDiagnosis.of(commands.address(), "write keyslot:meta", failure));
    }
}
