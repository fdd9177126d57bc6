// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.keyslot.client.partition.Refusal;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.protocol.RedisProtocolException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import javax.net.ssl.SSLException;

/**
 * Why a connection could not be made, from what Lettuce throws.
 *
 * <p>What a server says about a command may quote the password in it. So neither its text nor its exception is passed
 * on.
 */
final class ConnectFailures {
    private ConnectFailures() {}

    /** Returns the failure of an attempt to do something at an address. */
    static ConnectFailure of(String address, String attempt, Throwable thrown) {
        Optional<ConnectFailure> known = find(thrown, ConnectFailure.class);
        if (known.isPresent()) {
            return known.get();
        }
        Optional<RedisCommandExecutionException> answer = find(thrown, RedisCommandExecutionException.class);
        if (answer.isPresent()) {
            return ofAnswer(
                    address,
                    attempt,
                    ServerError.parse(String.valueOf(answer.get().getMessage())));
        }
        if (find(thrown, CertificateException.class).isPresent()) {
            return new ConnectFailure(Kind.REJECTED, address + ": " + explainCertificate(thrown), thrown);
        }
        if (find(thrown, SSLException.class)
                .filter(alert -> String.valueOf(alert.getMessage()).contains("certificate_required"))
                .isPresent()) {
            return new ConnectFailure(
                    Kind.REJECTED,
                    address + ": the server wants a certificate of the client, and Keyslot has none;"
                            + " set tls-auth-clients to optional or no there",
                    thrown);
        }
        if (find(thrown, NotSslRecordException.class).isPresent()) {
            return new ConnectFailure(
                    Kind.REJECTED,
                    "%s: the server does not speak TLS on this port; use redis:// instead of rediss://"
                            .formatted(address),
                    thrown);
        }
        if (find(thrown, RedisProtocolException.class).isPresent()) {
            return new ConnectFailure(
                    Kind.UNREACHABLE,
                    "%s: what answers there does not speak the protocol of Redis".formatted(address),
                    thrown);
        }
        if (!address.startsWith("rediss:") && isHangUp(thrown)) {
            return new ConnectFailure(
                    Kind.UNREACHABLE,
                    ("%s: cannot %s: the server closed the connection without an answer (%s);"
                                    + " if it speaks TLS on this port, use rediss:// instead of redis://")
                            .formatted(address, attempt, reason(thrown)),
                    null);
        }
        // Nobody listens, or nobody answers: the message says all, and the trace shows Netty's loop and nothing of
        // ours.
        Throwable cause = find(thrown, ConnectException.class).isPresent() ? null : thrown;
        return new ConnectFailure(
                Kind.UNREACHABLE, "%s: cannot %s: %s".formatted(address, attempt, reason(thrown)), cause);
    }

    /** Returns the answer, or fails with what {@link #of} says. */
    static <T> CompletableFuture<T> within(String address, String attempt, CompletionStage<T> answer) {
        return answer.<T>handle((value, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(of(address, attempt, failure));
                    }
                    return value;
                })
                .toCompletableFuture();
    }

    private static String explainCertificate(Throwable thrown) {
        if (find(thrown, CertificateExpiredException.class).isPresent()
                || find(thrown, CertificateNotYetValidException.class).isPresent()) {
            return "the server's certificate has expired, or is not valid yet; renew it, or set the clocks";
        }
        if (find(thrown, CertPathBuilderException.class).isPresent()
                || find(thrown, CertPathValidatorException.class).isPresent()) {
            return "the server's certificate is of an authority that this JVM does not know;"
                    + " put the authority into its trust store (javax.net.ssl.trustStore)";
        }
        return "the server's certificate is not for this host; use a name that is in it";
    }

    /** Returns whether somebody accepted the connection and gave it up, which is no answer of a server to a client. */
    private static boolean isHangUp(Throwable thrown) {
        return find(thrown, ConnectException.class).isEmpty()
                && (find(thrown, SocketException.class).isPresent()
                        || find(thrown, ClosedChannelException.class).isPresent()
                        || String.valueOf(reason(thrown)).contains("closed"));
    }

    /** Returns whether a primary has answered that it takes no writes for now. It has not executed anything. */
    static boolean isWriteRefused(Throwable thrown) {
        return find(thrown, RedisCommandExecutionException.class)
                .map(answer -> ServerError.parse(String.valueOf(answer.getMessage())))
                .filter(error -> error.refusal() == Refusal.NOT_WRITABLE)
                .filter(error -> !error.code().equals(ServerError.READ_ONLY))
                .isPresent();
    }

    private static ConnectFailure ofAnswer(String address, String attempt, ServerError error) {
        Kind kind = error.refusal() == Refusal.FORBIDDEN ? Kind.REJECTED : Kind.UNREACHABLE;
        return new ConnectFailure(kind, "%s: cannot %s: %s".formatted(address, attempt, explain(error)), null);
    }

    private static String explain(ServerError error) {
        return switch (error.code()) {
            case "NOAUTH" -> "the server asks for a password; put it into the address, redis://user:password@host:port";
            case "WRONGPASS" -> "the server does not accept this user and password";
            case "NOPERM" -> "the user is not allowed to; see the access rules (ACL) in the operations manual";
            case "WRONGTYPE" -> "the key is in use for something else";
            case ServerError.UNKNOWN_COMMAND, "NOPROTO" ->
                "the server does not know the command; version %s or newer of Redis, or Valkey, is needed"
                        .formatted(ServerInfo.OLDEST_VERSION);
            case ServerError.TOO_MANY_CLIENTS ->
                "the server has as many clients as its maxclients allows; raise it, or close some";
            default -> "the server answered " + error.code();
        };
    }

    private static <T extends Throwable> Optional<T> find(Throwable thrown, Class<T> type) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return Optional.of(type.cast(cause));
            }
        }
        return Optional.empty();
    }

    /** The innermost cause says what happened; those around it say where, which we have said. */
    private static String reason(Throwable thrown) {
        Throwable innermost = thrown;
        for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
            innermost = cause;
        }
        return Objects.requireNonNullElse(
                innermost.getMessage(), innermost.getClass().getSimpleName());
    }
}
