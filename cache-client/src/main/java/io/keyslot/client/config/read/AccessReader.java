// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.Access;
import io.keyslot.client.config.TlsOptions;

/** Reads {@code connection} and {@code tls}, at the top for all partitions or in the section of one partition. */
final class AccessReader {
    private static final String CONNECTION = "connection";
    private static final String SENTINEL = "sentinel";
    private static final String TLS = "tls";

    private final Problems problems;

    AccessReader(Problems problems) {
        this.problems = problems;
    }

    Access read(Section section) {
        return with(section, tls(section).read());
    }

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
