// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cache.access.CredentialsProvider;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.TlsOptions;
import java.util.Optional;

/**
 * The address, credentials and TLS options of a server. Its text form contains no password.
 *
 * @param tls the trusted certificates and the identity of the client
 * @param credentials called at each connect if the address contains none; empty for no login
 * @param sentinels called at each connect for the login at sentinels; empty for no login
 */
public record ServerAccess(
        PartitionUri uri,
        TlsOptions tls,
        Optional<CredentialsProvider> credentials,
        Optional<CredentialsProvider> sentinels) {
    @Override
    public String toString() {
        return uri.url();
    }
}
