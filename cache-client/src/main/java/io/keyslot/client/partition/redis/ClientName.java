// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.regex.Pattern;

/**
 * How this client is called in {@code CLIENT LIST}: {@code keyslot:<client>:<version of the slot map>}, and {@code
 * keyslot:<client>:-} before it may be sent anything.
 *
 * @param client printable ASCII characters without spaces, as servers want it
 */
record ClientName(String client) {
    private static final Pattern ALLOWED = Pattern.compile("[!-~]{1,64}");

    ClientName {
        if (!ALLOWED.matcher(client).matches()) {
            throw new IllegalArgumentException(
                    "Client name '%s': must be 1 to 64 printable ASCII characters without spaces".formatted(client));
        }
    }

    /** Returns the name during the handshake. */
    String entering() {
        return "keyslot:" + client + ":-";
    }

    String with(long mapVersion) {
        return "keyslot:" + client + ":" + mapVersion;
    }
}
