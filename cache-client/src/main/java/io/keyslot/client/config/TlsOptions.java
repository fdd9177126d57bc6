// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Who this client is, and whom it trusts, where a connection is encrypted. Immutable; its text holds nothing secret. */
public final class TlsOptions {
    private static final TlsOptions DEFAULTS = new TlsOptions(null, null, null);

    private final @Nullable Supplier<KeyManagerFactory> identity;
    private final @Nullable Supplier<TrustManagerFactory> trusted;
    private final @Nullable String serverName;

    /**
     * Both are asked for at each connect. They must not block for long, and be safe for use by several threads.
     *
     * @param identity null for no certificate of our own
     * @param trusted null for those that the JVM trusts
     * @param serverName what servers' certificates must be for, null for the host of the address
     */
    public TlsOptions(
            @Nullable Supplier<KeyManagerFactory> identity,
            @Nullable Supplier<TrustManagerFactory> trusted,
            @Nullable String serverName) {
        this.identity = identity;
        this.trusted = trusted;
        this.serverName = serverName;
    }

    /** Returns the options of a client that shows no certificate, and trusts whom its JVM trusts. */
    public static TlsOptions defaults() {
        return DEFAULTS;
    }

    /** Returns what is said here, and for what is not said here what the others say. */
    public TlsOptions or(TlsOptions others) {
        return identity == null && trusted == null && serverName == null
                ? others
                : new TlsOptions(
                        identity == null ? others.identity : identity,
                        trusted == null ? others.trusted : trusted,
                        serverName == null ? others.serverName : serverName);
    }

    /** Returns what gives the certificate that is shown to servers that ask for one, and its key; empty if there is none. */
    public Optional<Supplier<KeyManagerFactory>> identity() {
        return Optional.ofNullable(identity);
    }

    /** Returns what gives the authorities of servers' certificates; empty for those that the JVM trusts. */
    public Optional<Supplier<TrustManagerFactory>> trusted() {
        return Optional.ofNullable(trusted);
    }

    /** Returns the name that servers' certificates must be for; empty for the host of the address. */
    public Optional<String> serverName() {
        return Optional.ofNullable(serverName);
    }

    @Override
    public String toString() {
        return "TLS with %s, trusting %s"
                .formatted(
                        identity == null ? "no certificate of its own" : "a certificate of its own",
                        trusted == null ? "whom the JVM trusts" : "the configured authorities");
    }
}
