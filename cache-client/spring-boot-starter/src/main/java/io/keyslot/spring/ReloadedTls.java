// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.client.config.TlsOptions;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;

/**
 * The keys, certificates, protocols and ciphers of an SSL bundle, as it was read last. The client asks for them anew for each
 * connection, so that a bundle that is read again counts from the next one on; connections that are there stay. Safe for use by
 * several threads.
 */
final class ReloadedTls {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadedTls.class);

    private volatile TlsOptions.Material current;

    /**
     * @throws IllegalStateException if the bundle's keys cannot be used
     * @throws IllegalArgumentException if the JVM does not have one of its protocols or ciphers
     */
    ReloadedTls(SslBundle first) {
        this.current = material(first);
    }

    /** A context of the bundle is asked, since {@code protocol} and {@code options} of a bundle both choose protocols. */
    private static TlsOptions.Material material(SslBundle bundle) {
        SSLEngine engine = bundle.createSslContext().createSSLEngine();
        engine.setUseClientMode(true);
        String[] protocols = bundle.getOptions().getEnabledProtocols();
        if (protocols != null) {
            engine.setEnabledProtocols(protocols);
        }
        String[] ciphers = bundle.getOptions().getCiphers();
        if (ciphers != null) {
            engine.setEnabledCipherSuites(ciphers);
        }
        return new TlsOptions.Material(
                bundle.getManagers().getKeyManagerFactory(),
                bundle.getManagers().getTrustManagerFactory(),
                List.of(engine.getEnabledProtocols()),
                ciphers == null ? List.of() : List.of(ciphers));
    }

    TlsOptions options() {
        return new TlsOptions(() -> current, null);
    }

    /** Takes what the bundle is now; one that cannot be used leaves what was there. */
    void update(SslBundle reloaded) {
        try {
            current = material(reloaded);
            LOG.info("The SSL bundle was read again: new connections to partitions use it");
        } catch (IllegalStateException | IllegalArgumentException e) {
            LOG.warn("The SSL bundle was read again and cannot be used; connections use the former one", e);
        }
    }
}
