// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Who we are, and whom we trust, where a connection is encrypted.
 *
 * @param certificate what is shown to servers that ask for a certificate; empty for none
 * @param trusted the authorities of servers' certificates; empty for those that the JVM trusts
 */
public record TlsIdentity(Optional<KeyManagerFactory> certificate, Optional<TrustManagerFactory> trusted) {
    /** Returns that of a client that shows no certificate, and trusts whom its JVM trusts. */
    public static TlsIdentity none() {
        return new TlsIdentity(Optional.empty(), Optional.empty());
    }
}
