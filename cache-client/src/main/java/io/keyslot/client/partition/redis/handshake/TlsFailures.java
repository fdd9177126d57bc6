// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import io.keyslot.client.partition.redis.wire.Causes;
import io.netty.handler.ssl.NotSslRecordException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Explains failed TLS handshakes, with a remedy. All of these failures are permanent. Free of I/O. */
final class TlsFailures {
    private static final String WANTED = "the server wants a certificate of the client, and none is configured: set"
            + " tls.certificate and tls.key, or tls.keyStore; or set tls-auth-clients to optional or no at the server";

    /** The server's verdict by Java's names for TLS alerts. */
    private static final Map<String, String> ALERTS = Map.of(
            "certificate_required",
            WANTED,
            "handshake_failure",
            "the server ended the TLS handshake: either it wants a certificate of the client (set tls.certificate and"
                    + " tls.key, or tls.keyStore), or it allows no cipher that this JVM has",
            "unknown_ca",
            "the server does not know the authority of our certificate: show another one (tls.certificate,"
                    + " tls.keyStore), or add the authority to its tls-ca-cert-file",
            "certificate_expired",
            "our certificate has expired, says the server: renew it (tls.certificate, tls.keyStore)",
            "bad_certificate",
            "the server does not accept our certificate: show another one (tls.certificate, tls.keyStore)",
            "unsupported_certificate",
            "the server does not accept our certificate for a client: show another one (tls.certificate, tls.keyStore)",
            "certificate_unknown",
            "the server does not accept our certificate: show another one (tls.certificate, tls.keyStore)",
            "protocol_version",
            "the server allows no version of TLS that this JVM allows: see its tls-protocols");

    private static final Pattern ALERT = Pattern.compile("fatal alert: ([a-z_]+)");

    private TlsFailures() {}

    /** Returns the explanation; empty if the failure is not about TLS, or may be temporary. */
    static Optional<String> explain(Throwable thrown) {
        if (Causes.has(thrown, NotSslRecordException.class)) {
            return Optional.of("the server does not speak TLS on this port; use redis:// instead of rediss://");
        }
        if (Causes.has(thrown, InvalidAlgorithmParameterException.class)) {
            return Optional.of("this JVM trusts no authority at all: its trust store is empty or missing;"
                    + " see javax.net.ssl.trustStore, or set tls.authorities or tls.trustStore");
        }
        if (Causes.has(thrown, CertificateException.class)) {
            return Optional.of(ofCertificate(thrown));
        }
        return Causes.find(thrown, SSLException.class).flatMap(TlsFailures::ofAlert);
    }

    private static String ofCertificate(Throwable thrown) {
        if (Causes.has(thrown, CertificateExpiredException.class)) {
            return "the server's certificate has expired; renew it, or set this machine's clock";
        }
        if (Causes.has(thrown, CertificateNotYetValidException.class)) {
            return "the server's certificate is not valid yet; set the clocks";
        }
        if (Causes.has(thrown, CertPathBuilderException.class)
                || Causes.has(thrown, CertPathValidatorException.class)) {
            return "the server's certificate is of an authority that is not trusted here;"
                    + " set tls.authorities or tls.trustStore, or put it into the JVM's trust store"
                    + " (javax.net.ssl.trustStore)";
        }
        return "the server's certificate is not for this host; use a name that is in it";
    }

    private static Optional<String> ofAlert(SSLException thrown) {
        Matcher alert = ALERT.matcher(String.valueOf(thrown.getMessage()));
        return alert.find() ? Optional.ofNullable(ALERTS.get(alert.group(1))) : Optional.empty();
    }
}
