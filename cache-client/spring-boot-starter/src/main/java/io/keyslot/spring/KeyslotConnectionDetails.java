// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Where partitions are, in place of {@code keyslot.partitions}. Several beans are several partitions, in their order.
 */
public interface KeyslotConnectionDetails extends ConnectionDetails {
    /** Returns the addresses, {@code redis://…}, each of which is a partition. */
    List<String> uris();

    /** Returns how connections are encrypted, in place of {@code keyslot.ssl.bundle}; null for what that says. */
    default @Nullable SslBundle sslBundle() {
        return null;
    }
}
