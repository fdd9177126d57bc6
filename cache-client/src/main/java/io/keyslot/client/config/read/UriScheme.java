// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.util.Locale;
import java.util.Set;

/** The schemes of partition addresses. */
final class UriScheme {
    private static final Set<String> PLAIN = Set.of("redis", "valkey");
    private static final Set<String> ENCRYPTED = Set.of("rediss", "valkeys");
    private static final Set<String> SOCKETS = Set.of("unix", "redis-socket", "redis+socket", "valkey-socket", "file");
    private static final Set<String> OTHER_SENTINELS = Set.of("redis-sentinel", "rediss-sentinel");
    private static final String SENTINEL = "+sentinel";

    private UriScheme() {}

    static boolean isEncrypted(String scheme) throws BadValueException {
        String whole = scheme.toLowerCase(Locale.ROOT);
        String name = isOfSentinels(whole) ? whole.substring(0, whole.length() - SENTINEL.length()) : whole;
        if (SOCKETS.contains(name)) {
            throw unixSocket();
        }
        if (OTHER_SENTINELS.contains(name)) {
            throw new BadValueException("names sentinels: write " + PartitionUriParser.SENTINEL_FORM);
        }
        if (!PLAIN.contains(name) && !ENCRYPTED.contains(name)) {
            throw new BadValueException("must begin with redis://, rediss://, valkey:// or valkeys://");
        }
        return ENCRYPTED.contains(name);
    }

    static boolean isOfSentinels(String scheme) {
        return scheme.toLowerCase(Locale.ROOT).endsWith(SENTINEL);
    }

    static BadValueException unixSocket() {
        return new BadValueException("names a unix socket, which is not supported: write " + PartitionUriParser.FORM);
    }
}
