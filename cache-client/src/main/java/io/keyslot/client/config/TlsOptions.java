// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The certificates and settings of encrypted connections. Immutable; {@link #toString} shows nothing secret. */
public final class TlsOptions {
    private static final TlsOptions DEFAULTS = new TlsOptions(() -> Material.NONE, null);

    private final Supplier<Material> material;
    private final @Nullable String serverName;

    /**
     * The material of one connection, read at one moment, so that its parts fit together. Null or empty parts are those
     * of the JVM; without an identity, no certificate is shown.
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
     * @param material called once for each connection; must not block for long, and must be thread-safe
     * @param serverName the name that servers' certificates must have, null for the host of the address
     */
    public TlsOptions(Supplier<Material> material, @Nullable String serverName) {
        this.material = material;
        this.serverName = serverName;
    }

    public static TlsOptions defaults() {
        return DEFAULTS;
    }

    TlsOptions or(TlsOptions others) {
        if (this == DEFAULTS || others == DEFAULTS) {
            return this == DEFAULTS ? others : this;
        }
        return new TlsOptions(
                () -> material.get().or(others.material.get()), serverName == null ? others.serverName : serverName);
    }

    public Material material() {
        return material.get();
    }

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
