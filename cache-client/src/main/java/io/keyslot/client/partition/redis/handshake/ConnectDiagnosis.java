// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.redis.wire.Causes;
import io.keyslot.client.partition.redis.wire.ServerError;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.protocol.RedisProtocolException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Explains failed connects. Drops the server's text and exception, which may quote a password. */
public final class ConnectDiagnosis {
    private static final Set<String> CLUSTER =
            Set.of("MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN", ServerError.NO_SELECT);

    /** Lettuce's text if the server closed an accepted connection at once. */
    private static final String CLOSED_BEFORE_LOOKED_AT = "RedisHandshakeHandler not registered";

    private ConnectDiagnosis() {}

    public static ConnectFailure of(String address, String attempt, Throwable thrown) {
        Optional<ConnectFailure> known = Causes.find(thrown, ConnectFailure.class);
        if (known.isPresent()) {
            return known.get();
        }
        Optional<RedisCommandExecutionException> answer = Causes.find(thrown, RedisCommandExecutionException.class);
        if (answer.isPresent()) {
            return ofAnswer(
                    address,
                    attempt,
                    ServerError.parse(String.valueOf(answer.get().getMessage())));
        }
        Optional<String> untrusted = TlsFailures.explain(thrown);
        if (untrusted.isPresent()) {
            return ConnectFailure.at(address, Kind.REJECTED, untrusted.get(), thrown);
        }
        if (Causes.has(thrown, RedisProtocolException.class)) {
            return ConnectFailure.at(
                    address, Kind.REJECTED, "what answers there does not speak the protocol of Redis", thrown);
        }
        if (Causes.has(thrown, UnknownHostException.class)) {
            return ConnectFailure.at(
                    address,
                    Kind.UNREACHABLE,
                    "cannot %s: the name of the host is not known here (%s); correct it, or the name service"
                            .formatted(attempt, Causes.reason(thrown)),
                    thrown);
        }
        if (isHangUp(thrown)) {
            return ConnectFailure.at(
                    address,
                    Kind.UNREACHABLE,
                    "cannot %s: the server closed the connection without an answer (%s); %s"
                            .formatted(
                                    attempt,
                                    Causes.reason(thrown),
                                    address.startsWith("rediss:")
                                            ? "see its log; if it does not speak TLS on this port, use redis:// instead of rediss://"
                                            : "if it speaks TLS on this port, use rediss:// instead of redis://; or it has as many clients as it takes (maxclients)"),
                    thrown);
        }
        return ConnectFailure.at(
                address, Kind.UNREACHABLE, "cannot %s: %s".formatted(attempt, Causes.reason(thrown)), thrown);
    }

    static <T> CompletableFuture<T> within(String address, String attempt, CompletionStage<T> answer) {
        return answer.<T>handle((value, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(of(address, attempt, failure));
                    }
                    return value;
                })
                .toCompletableFuture();
    }

    /** Returns whether the connection was accepted and closed without a reply. */
    private static boolean isHangUp(Throwable thrown) {
        return !Causes.has(thrown, ConnectException.class)
                && (Causes.has(thrown, SocketException.class)
                        || Causes.has(thrown, ClosedChannelException.class)
                        || Causes.reason(thrown).contains("closed")
                        || Causes.reason(thrown).contains(CLOSED_BEFORE_LOOKED_AT));
    }

    /** Returns whether a primary refuses writes for now. It has not executed anything. */
    static boolean isWriteRefused(Throwable thrown) {
        return Causes.find(thrown, RedisCommandExecutionException.class)
                .map(answer -> ServerError.parse(String.valueOf(answer.getMessage())))
                .filter(error -> error.refusal() == Refusal.NOT_WRITABLE)
                .filter(error -> !error.code().equals(ServerError.READ_ONLY))
                .isPresent();
    }

    private static ConnectFailure ofAnswer(String address, String attempt, ServerError error) {
        boolean stays = error.refusal() == Refusal.FORBIDDEN
                || error.code().equals(ServerError.NO_LOGIN)
                || CLUSTER.contains(error.code());
        return ConnectFailure.at(
                address,
                stays ? Kind.REJECTED : Kind.UNREACHABLE,
                "cannot %s: %s".formatted(attempt, explain(error)),
                null);
    }

    private static String explain(ServerError error) {
        return switch (error.code()) {
            case ServerError.NO_LOGIN ->
                "the server asks for a password; put it into the address,"
                        + " redis://:password@host:port, or redis://user:password@host:port if it has users";
            case "WRONGPASS" ->
                "the server does not accept this user and password; what is reserved in them, @ : / ? # %, must be"
                        + " percent-encoded in an address, but not in a variable";
            case "NOPERM" -> "the user is not allowed to; see the access rules (ACL) in the operations manual";
            case "WRONGTYPE" -> "the key is in use for something else";
            case ServerError.UNKNOWN_COMMAND ->
                error.detail()
                        + "; version %s or newer of Redis, or Valkey, is needed".formatted(ServerInfo.OLDEST_VERSION);
            case "NOPROTO" ->
                "the server answered NOPROTO to HELLO 3: it, or a proxy before it, does not speak RESP3; version %s or newer of Redis, or Valkey, is needed"
                        .formatted(ServerInfo.OLDEST_VERSION);
            case ServerError.TOO_MANY_CLIENTS ->
                "the server has as many clients as its maxclients allows; raise it, or close some";
            case ServerError.NO_SUCH_DATABASE ->
                "the server has no database of this number; correct the address, or raise databases at the server";
            default -> CLUSTER.contains(error.code()) ? ServerInfo.NO_CLUSTER : "the server answered " + error.code();
        };
    }
}
