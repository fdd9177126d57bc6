// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** Addresses of partitions, in place of {@code keyslot.partitions}. Several beans are used in their order. */
public interface KeyslotConnectionDetails extends ConnectionDetails {
    /** Returns the addresses, {@code redis://…}, one for each partition. */
    List<String> uris();

    /** Returns the SSL bundle for connections, in place of {@code keyslot.ssl.bundle}; null to use that property. */
    default @Nullable SslBundle sslBundle() {
        return null;
    }
}
