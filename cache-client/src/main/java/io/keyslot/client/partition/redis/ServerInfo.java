// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which life of which server answered.
 *
 * @param runId 40 hexadecimal digits that a server draws when it starts
 * @param major the version; Valkey says here which Redis it is compatible with
 * @param minor the version
 */
record ServerInfo(String runId, int major, int minor) {
    private static final Pattern RUN_ID = Pattern.compile("(?m)^run_id:([0-9a-f]{8,})\\s*$");
    private static final Pattern VERSION = Pattern.compile("(?m)^redis_version:(\\d{1,4})\\.(\\d{1,4})");

    /** {@code GETDEL} came with this version. */
    static final String OLDEST_VERSION = "6.2";

    /** Reads the answer to {@code INFO server}; empty if the run id or the version is not in it. */
    static Optional<ServerInfo> parse(String info) {
        Matcher runId = RUN_ID.matcher(info);
        Matcher version = VERSION.matcher(info);
        return runId.find() && version.find()
                ? Optional.of(new ServerInfo(
                        runId.group(1), Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2))))
                : Optional.empty();
    }

    /** Returns whether the server is new enough. */
    boolean isSupported() {
        return major > 6 || (major == 6 && minor >= 2);
    }
}
