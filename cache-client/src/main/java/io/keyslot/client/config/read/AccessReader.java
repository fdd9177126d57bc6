// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.Access;
import io.keyslot.client.config.TlsOptions;

/** Reads {@code connection} and {@code tls}, which stand at the top for all partitions, and at a partition for this one. */
final class AccessReader {
    private static final String CONNECTION = "connection";
    private static final String SENTINEL = "sentinel";
    private static final String TLS = "tls";

    private final Problems problems;

    AccessReader(Problems problems) {
        this.problems = problems;
    }

    /** Reads what is said in a section of a partition. */
    Access read(Section section) {
        return with(section, tls(section).read());
    }

    /**
     * Reads what is said at the top.
     *
     * @param isEncrypted whether there is a partition with encryption
     */
    Access read(Section root, boolean isEncrypted) {
        return with(root, tls(root).read(isEncrypted));
    }

    private TlsReader tls(Section section) {
        return new TlsReader(section.section(TLS), problems, System::getProperty);
    }

    private static Access with(Section section, TlsOptions tls) {
        Section connection = section.section(CONNECTION);
        return new Access(LoginReader.read(connection), LoginReader.read(connection.section(SENTINEL)), tls);
    }
}
