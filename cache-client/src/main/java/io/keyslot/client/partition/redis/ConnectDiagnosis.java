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
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Explains failed connects. Drops the server's text and exception, which may quote a password. */
final class ConnectDiagnosis {
    private static final Set<String> CLUSTER =
            Set.of("MOVED", "ASK", "CROSSSLOT", "CLUSTERDOWN", ServerError.NO_SELECT);

    /** Lettuce's text if the server closed an accepted connection at once. */
    private static final String CLOSED_BEFORE_LOOKED_AT = "RedisHandshakeHandler not registered";

    private static final String WANTED = "the server wants a certificate of the client, and none is configured: set"
            + " tls.certificate and tls.key; or set tls-auth-clients to optional or no at the server";

    /** The server's verdict by Java's names for TLS alerts. */
    private static final Map<String, String> ALERTS = Map.of(
            "certificate_required",
            WANTED,
            "handshake_failure",
            "the server ended the TLS handshake: either it wants a certificate of the client (set tls.certificate and"
                    + " tls.key), or it allows no cipher that this JVM has",
            "unknown_ca",
            "the server does not know the authority of our certificate: show another one (tls.certificate),"
                    + " or add the authority to its tls-ca-cert-file",
            "certificate_expired",
            "our certificate has expired, says the server: renew it (tls.certificate)",
            "bad_certificate",
            "the server does not accept our certificate: show another one (tls.certificate)",
            "unsupported_certificate",
            "the server does not accept our certificate for a client: show another one (tls.certificate)",
            "certificate_unknown",
            "the server does not accept our certificate: show another one (tls.certificate)",
            "protocol_version",
            "the server allows no version of TLS that this JVM allows: see its tls-protocols");

    private static final Pattern ALERT = Pattern.compile("fatal alert: ([a-z_]+)");

    private ConnectDiagnosis() {}

    /** Searches an exception and its causes. */
    static <T extends Throwable> Optional<T> find(Throwable thrown, Class<T> type) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return Optional.of(type.cast(cause));
            }
        }
        return Optional.empty();
    }

    static boolean has(Throwable thrown, Class<? extends Throwable> type) {
        return find(thrown, type).isPresent();
    }

    /** Returns the message of the innermost cause, which says what happened; the outer ones say where. */
    static String reason(Throwable thrown) {
        Throwable innermost = thrown;
        for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
            innermost = cause;
        }
        return Objects.requireNonNullElse(
                innermost.getMessage(), innermost.getClass().getSimpleName());
    }

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
        Optional<String> untrusted = explainTls(thrown);
        if (untrusted.isPresent()) {
            return ConnectFailure.at(address, Kind.REJECTED, untrusted.get(), thrown);
        }
        if (has(thrown, RedisProtocolException.class)) {
            return ConnectFailure.at(
                    address, Kind.REJECTED, "what answers there does not speak the protocol of Redis", thrown);
        }
        if (has(thrown, UnknownHostException.class)) {
            return ConnectFailure.at(
                    address,
                    Kind.UNREACHABLE,
                    "cannot %s: the name of the host is not known here (%s); correct it, or the name service"
                            .formatted(attempt, reason(thrown)),
                    thrown);
        }
        if (isHangUp(thrown)) {
            return ConnectFailure.at(
                    address,
                    Kind.UNREACHABLE,
                    "cannot %s: the server closed the connection without an answer (%s); %s"
                            .formatted(
                                    attempt,
                                    reason(thrown),
                                    address.startsWith("rediss:")
                                            ? "see its log; if it does not speak TLS on this port, use redis:// instead of rediss://"
                                            : "if it speaks TLS on this port, use rediss:// instead of redis://; or it has as many clients as it takes (maxclients)"),
                    thrown);
        }
        return ConnectFailure.at(address, Kind.UNREACHABLE, "cannot %s: %s".formatted(attempt, reason(thrown)), thrown);
    }

    /** Returns whether the connection was accepted and closed without a reply. */
    private static boolean isHangUp(Throwable thrown) {
        return !has(thrown, ConnectException.class)
                && (has(thrown, SocketException.class)
                        || has(thrown, ClosedChannelException.class)
                        || reason(thrown).contains("closed")
                        || reason(thrown).contains(CLOSED_BEFORE_LOOKED_AT));
    }

    /** Returns whether a server refused a command because it does not exist, or the user may not use it. */
    static boolean isForbidden(Throwable failure) {
        return find(failure, RedisCommandExecutionException.class)
                .map(answer -> ServerError.parse(String.valueOf(answer.getMessage())))
                .filter(error -> error.refusal() == Refusal.FORBIDDEN)
                .isPresent();
    }

    /** Returns whether a primary refuses writes for now. It has not executed anything. */
    static boolean isWriteRefused(Throwable thrown) {
        return find(thrown, RedisCommandExecutionException.class)
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

    /** Explains a failed TLS handshake, with a remedy; empty if the failure is not about TLS, or may be temporary. */
    private static Optional<String> explainTls(Throwable thrown) {
        if (has(thrown, NotSslRecordException.class)) {
            return Optional.of("the server does not speak TLS on this port; use redis:// instead of rediss://");
        }
        if (has(thrown, InvalidAlgorithmParameterException.class)) {
            return Optional.of("this JVM trusts no authority at all: its trust store is empty or missing;"
                    + " see javax.net.ssl.trustStore, or set tls.authorities");
        }
        if (has(thrown, CertificateException.class)) {
            return Optional.of(ofCertificate(thrown));
        }
        return find(thrown, SSLException.class).flatMap(ConnectDiagnosis::ofAlert);
    }

    private static String ofCertificate(Throwable thrown) {
        if (has(thrown, CertificateExpiredException.class)) {
            return "the server's certificate has expired; renew it, or set this machine's clock";
        }
        if (has(thrown, CertificateNotYetValidException.class)) {
            return "the server's certificate is not valid yet; set the clocks";
        }
        if (has(thrown, CertPathBuilderException.class) || has(thrown, CertPathValidatorException.class)) {
            return "the server's certificate is of an authority that is not trusted here;"
                    + " set tls.authorities, or put it into the JVM's trust store"
                    + " (javax.net.ssl.trustStore)";
        }
        return "the server's certificate is not for this host; use a name that is in it";
    }

    private static Optional<String> ofAlert(SSLException thrown) {
        Matcher alert = ALERT.matcher(String.valueOf(thrown.getMessage()));
        return alert.find() ? Optional.ofNullable(ALERTS.get(alert.group(1))) : Optional.empty();
    }
}
