// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.value.BadValueException;
import java.util.Locale;
import java.util.Set;

/** What the scheme of a partition's address says. */
final class UriScheme {
    private static final Set<String> PLAIN = Set.of("redis", "valkey");
    private static final Set<String> ENCRYPTED = Set.of("rediss", "valkeys");
    private static final Set<String> SOCKETS = Set.of("unix", "redis-socket", "redis+socket", "valkey-socket", "file");
    private static final Set<String> SENTINELS = Set.of("redis-sentinel", "rediss-sentinel");

    private UriScheme() {}

    /** Returns whether the connection is to be encrypted. */
    static boolean isEncrypted(String scheme) throws BadValueException {
        String name = scheme.toLowerCase(Locale.ROOT);
        if (SOCKETS.contains(name)) {
            throw unixSocket();
        }
        if (SENTINELS.contains(name)) {
            throw new BadValueException("names sentinels, which are not supported: write " + PartitionUriParser.FORM);
        }
        if (!PLAIN.contains(name) && !ENCRYPTED.contains(name)) {
            throw new BadValueException("must begin with redis://, rediss://, valkey:// or valkeys://");
        }
        return ENCRYPTED.contains(name);
    }

    static BadValueException unixSocket() {
        return new BadValueException("names a unix socket, which is not supported: write " + PartitionUriParser.FORM);
    }
}
