// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.client.config.TlsOptions;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;

/**
 * The latest version of an SSL bundle, which the client reads for each new connection. Existing connections are not
 * affected by a reload. Safe for use by several threads.
 */
final class ReloadedTls {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadedTls.class);

    private volatile TlsOptions.Material current;

    /** Throws an exception if the keys are invalid, or the JVM does not support a protocol or cipher. */
    ReloadedTls(SslBundle first) {
        this.current = material(first);
    }

    /** Uses a context of the bundle, since {@code protocol} and {@code options} of a bundle both select protocols. */
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

    /** Replaces the bundle; one that cannot be used is ignored. */
    void update(SslBundle reloaded) {
        try {
            current = material(reloaded);
            LOG.info("The SSL bundle was read again: new connections to partitions use it");
        } catch (IllegalStateException | IllegalArgumentException e) {
            LOG.warn("The SSL bundle was read again and cannot be used; connections use the former one", e);
        }
    }
}
