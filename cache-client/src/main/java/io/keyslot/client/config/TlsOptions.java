// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Who this client is, and whom it trusts, where a connection is encrypted. Immutable; its text holds nothing secret. */
public final class TlsOptions {
    private static final TlsOptions DEFAULTS = new TlsOptions(() -> Material.NONE, null);

    private final Supplier<Material> material;
    private final @Nullable String serverName;

    /**
     * What one connection is encrypted with. Its parts are of one moment and fit together.
     *
     * @param identity the certificate that is shown to servers that ask for one, and its key; null for none
     * @param trusted the authorities of servers' certificates; null for those that the JVM trusts
     * @param protocols the versions of TLS that are offered; empty for the default of the JVM
     * @param ciphers the cipher suites that are offered; empty for the default
     */
    public record Material(
            @Nullable KeyManagerFactory identity,
            @Nullable TrustManagerFactory trusted,
            List<String> protocols,
            List<String> ciphers) {
        static final Material NONE = new Material(null, null);

        public Material {
            protocols = List.copyOf(protocols);
            ciphers = List.copyOf(ciphers);
        }

        /** With the default protocols and cipher suites. */
        public Material(@Nullable KeyManagerFactory identity, @Nullable TrustManagerFactory trusted) {
            this(identity, trusted, List.of(), List.of());
        }

        private Material or(Material others) {
            return new Material(
                    identity == null ? others.identity : identity,
                    trusted == null ? others.trusted : trusted,
                    protocols.isEmpty() ? others.protocols : protocols,
                    ciphers.isEmpty() ? others.ciphers : ciphers);
        }
    }

    /**
     * @param material is called once for each connection. It must not block for long, and be safe for use by several threads
     * @param serverName what servers' certificates must be for, null for the host of the address
     */
    public TlsOptions(Supplier<Material> material, @Nullable String serverName) {
        this.material = material;
        this.serverName = serverName;
    }

    /** Returns the options of a client that shows no certificate, and trusts whom its JVM trusts. */
    public static TlsOptions defaults() {
        return DEFAULTS;
    }

    /** Returns what is said here, and for what is not said here what the others say. */
    public TlsOptions or(TlsOptions others) {
        if (this == DEFAULTS || others == DEFAULTS) {
            return this == DEFAULTS ? others : this;
        }
        return new TlsOptions(
                () -> material.get().or(others.material.get()), serverName == null ? others.serverName : serverName);
    }

    /** Returns what the next connection is encrypted with. */
    public Material material() {
        return material.get();
    }

    /** Returns the name that servers' certificates must be for; empty for the host of the address. */
    public Optional<String> serverName() {
        return Optional.ofNullable(serverName);
    }

    @Override
    public String toString() {
        Material now = material();
        return "TLS with %s, trusting %s"
                .formatted(
                        now.identity == null ? "no certificate of its own" : "a certificate of its own",
                        now.trusted == null ? "whom the JVM trusts" : "the configured authorities");
    }
}
