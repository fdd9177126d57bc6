// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identity and version of a server, as it reports them.
 *
 * @param runId 40 hexadecimal digits drawn at each start; if not reported, the replication id, which is drawn then too;
 *     empty if neither is reported
 * @param replicationId 40 hexadecimal digits drawn at each promotion, among other events; empty if not reported
 * @param isReplica whether it follows another server
 * @param major the version of Redis, which Valkey is compatible with; 0 if not reported
 * @param minor the version
 * @param setsManyWithExpiry whether its version has {@code MSETEX}
 * @param comparesValues whether its version has {@code SET} with {@code IFEQ}
 */
record ServerInfo(
        String runId,
        String replicationId,
        boolean isReplica,
        int major,
        int minor,
        boolean setsManyWithExpiry,
        boolean comparesValues) {
    private static final Pattern RUN_ID = Pattern.compile("(?m)^run_id:([0-9a-f]{8,})\\s*$");
    private static final Pattern REPLICATION_ID = Pattern.compile("(?m)^master_replid:([0-9a-f]{8,})\\s*$");
    private static final Pattern REPLICA = Pattern.compile("(?m)^role:(slave|replica)\\s*$");
    private static final Pattern VERSION = Pattern.compile("(?m)^redis_version:(\\d{1,4})\\.(\\d{1,4})");

    private static final Pattern VALKEY = Pattern.compile("(?m)^valkey_version:(\\d{1,4})\\.(\\d{1,4})");

    private static final Pattern MODE = Pattern.compile("(?m)^(?:redis|server)_mode:(\\w+)");

    static final String NO_CLUSTER =
            "the server is in cluster mode; set engine: cluster, and name some of the cluster's"
                    + " nodes under partitions";

    private static final String NO_NODE =
            "the server is not in cluster mode (cluster_enabled:0); set engine: instances";

    private static final String NO_SENTINEL =
            "this is the port of a sentinel, not of the server that it watches; name the primary";

    /** The first version with {@code GETDEL}. */
    static final String OLDEST_VERSION = "6.2";

    /** Parses {@code INFO server}, possibly empty, and {@code INFO replication}; empty if they have neither id. */
    static Optional<ServerInfo> parse(String server, String replication) {
        return Optional.of(parseOrNameless(server, replication)).filter(info -> !info.isNameless());
    }

    /** Parses the same. A server without ids is distinguished only by its data. */
    static ServerInfo parseOrNameless(String server, String replication) {
        Matcher run = RUN_ID.matcher(server);
        Matcher version = VERSION.matcher(server);
        boolean hasVersion = version.find();
        String replicationId = replicationId(replication);
        return new ServerInfo(
                run.find() ? run.group(1) : replicationId,
                replicationId,
                REPLICA.matcher(replication).find(),
                hasVersion ? Integer.parseInt(version.group(1)) : 0,
                hasVersion ? Integer.parseInt(version.group(2)) : 0,
                isSince(server, 9, 1),
                isSince(server, 8, 1));
    }

    /** Returns whether it is Redis 8.4, or this version of Valkey, which reports compatibility with Redis 7.2. */
    private static boolean isSince(String server, int valkeyMajor, int valkeyMinor) {
        Matcher valkey = VALKEY.matcher(server);
        if (valkey.find()) {
            return isAtLeast(valkey, valkeyMajor, valkeyMinor);
        }
        Matcher redis = VERSION.matcher(server);
        return redis.find() && isAtLeast(redis, 8, 4);
    }

    private static boolean isAtLeast(Matcher version, int major, int minor) {
        int found = Integer.parseInt(version.group(1));
        return found > major || (found == major && Integer.parseInt(version.group(2)) >= minor);
    }

    boolean isNameless() {
        return runId.isEmpty();
    }

    /** Returns the reason to reject a server of any version, by its {@code INFO server}. */
    static Optional<String> objection(String server) {
        return objection(server, "cluster", NO_CLUSTER);
    }

    /** Returns the reason why a server is not a cluster node, by its {@code INFO server}. */
    static Optional<String> objectionAsNode(String server) {
        return objection(server, "standalone", NO_NODE);
    }

    private static Optional<String> objection(String server, String wrongMode, String why) {
        Matcher mode = MODE.matcher(server);
        if (!mode.find()) {
            return Optional.empty();
        }
        return mode.group(1).equals("sentinel")
                ? Optional.of(NO_SENTINEL)
                : Optional.of(why).filter(reason -> mode.group(1).equals(wrongMode));
    }

    private static String replicationId(String replication) {
        Matcher id = REPLICATION_ID.matcher(replication);
        return id.find() ? id.group(1) : "";
    }

    /**
     * Returns a text that changes with a restart or a promotion. It also changes when a first replica attaches, or the
     * last one has been gone for an hour.
     */
    String serverRun() {
        return runId + ":" + replicationId;
    }

    boolean reportsRunId() {
        return !runId.equals(replicationId);
    }

    /** Returns whether the version is supported or unknown. */
    boolean isSupported() {
        return major == 0 || major > 6 || (major == 6 && minor >= 2);
    }
}
