// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Who this client is, and whom it trusts, where a connection is encrypted. Immutable; its text holds nothing secret. */
public final class TlsOptions {
    private static final TlsOptions DEFAULTS = new TlsOptions(null, null);

    private final @Nullable KeyManagerFactory identity;
    private final @Nullable TrustManagerFactory trusted;

    public TlsOptions(@Nullable KeyManagerFactory identity, @Nullable TrustManagerFactory trusted) {
        this.identity = identity;
        this.trusted = trusted;
    }

    /** Returns the options of a client that shows no certificate, and trusts whom its JVM trusts. */
    public static TlsOptions defaults() {
        return DEFAULTS;
    }

    /** Returns the certificate that is shown to servers that ask for one, and its key; empty if there is none. */
    public Optional<KeyManagerFactory> identity() {
        return Optional.ofNullable(identity);
    }

    /** Returns the authorities of servers' certificates; empty for those that the JVM trusts. */
    public Optional<TrustManagerFactory> trusted() {
        return Optional.ofNullable(trusted);
    }

    @Override
    public String toString() {
        return "TLS with %s, trusting %s"
                .formatted(
                        identity == null ? "no certificate of its own" : "a certificate of its own",
                        trusted == null ? "whom the JVM trusts" : "the configured authorities");
    }
}
