// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.client.config.TlsOptions;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;

/**
 * The keys and certificates of an SSL bundle, as it was read last. The client asks for them anew for each connection, so that a
 * bundle that is read again counts from the next one on; connections that are there stay. Safe for use by several threads.
 */
final class ReloadedTls {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadedTls.class);

    /** What belongs together, though it is asked for one by one. */
    private record Managers(KeyManagerFactory keys, TrustManagerFactory trusted) {
        static Managers of(SslBundle bundle) {
            return new Managers(
                    bundle.getManagers().getKeyManagerFactory(),
                    bundle.getManagers().getTrustManagerFactory());
        }
    }

    private volatile Managers current;

    ReloadedTls(SslBundle first) {
        this.current = Managers.of(first);
    }

    TlsOptions options() {
        return new TlsOptions(() -> current.keys(), () -> current.trusted(), null);
    }

    /** Takes what the bundle is now; one that cannot be used leaves what was there. */
    void update(SslBundle reloaded) {
        try {
            current = Managers.of(reloaded);
            LOG.info("The SSL bundle was read again: new connections to partitions use it");
        } catch (IllegalStateException e) {
            LOG.warn("The SSL bundle was read again and cannot be used; connections use the former one", e);
        }
    }
}
