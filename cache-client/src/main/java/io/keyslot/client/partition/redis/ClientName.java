// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.regex.Pattern;

/** The name in {@code CLIENT LIST}: {@code keyslot:<client>:<map version>}, with a dash during the handshake. */
record ClientName(String client) {
    private static final Pattern ALLOWED = Pattern.compile("[!-~]{1,64}");

    ClientName {
        if (!ALLOWED.matcher(client).matches()) {
            throw new IllegalArgumentException(
                    "Client name '%s': must be 1 to 64 printable ASCII characters without spaces".formatted(client));
        }
    }

    String entering() {
        return "keyslot:" + client + ":-";
    }

    String with(long mapVersion) {
        return "keyslot:" + client + ":" + mapVersion;
    }
}
