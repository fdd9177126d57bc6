// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Who we are, and whom we trust, where a connection is encrypted. Factories are asked for at each connect.
 *
 * @param certificate gives what is shown to servers that ask for a certificate; empty for none
 * @param trusted gives the authorities of servers' certificates; empty for those that the JVM trusts
 * @param serverName what servers' certificates must be for; empty for the host of the address
 */
public record TlsIdentity(
        Optional<Supplier<KeyManagerFactory>> certificate,
        Optional<Supplier<TrustManagerFactory>> trusted,
        Optional<String> serverName) {
    /** Returns that of a client that shows no certificate, and trusts whom its JVM trusts. */
    public static TlsIdentity none() {
        return new TlsIdentity(Optional.empty(), Optional.empty(), Optional.empty());
    }
}
