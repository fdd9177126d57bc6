// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cache.access.CredentialsProvider;
import io.keyslot.client.config.TlsOptions;
import java.util.Optional;

/**
 * Where a server is, who we are there, and whom we trust. Its text holds no password.
 *
 * @param uri {@code redis://user:password@host:port/database}, or {@code rediss://} with encryption; {@code valkey} and
 *     {@code valkeys} mean the same
 * @param credentials says at each connect who logs in, if the address does not; empty for nobody
 * @param sentinels says at each connect who logs in at sentinels; empty for nobody
 */
public record ServerAccess(
        String uri,
        TlsOptions tls,
        Optional<CredentialsProvider> credentials,
        Optional<CredentialsProvider> sentinels) {
    /** Creates that of a server at which nobody logs in, unless its address says so. */
    public ServerAccess(String uri, TlsOptions tls) {
        this(uri, tls, Optional.empty(), Optional.empty());
    }

    @Override
    public String toString() {
        return ServerUri.parse(uri).address();
    }
}
