// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which server answered, and in which of its reigns.
 *
 * @param runId 40 hexadecimal digits that a server draws when it starts; if it does not say, the replication id, which it
 *     draws then too; empty if it says neither
 * @param replicationId 40 hexadecimal digits that a server draws when it becomes a primary, among other times; empty if it
 *     does not say
 * @param isReplica whether it says that it follows another server
 * @param major the version; Valkey says here which Redis it is compatible with; 0 if it does not say
 * @param minor the version
 * @param setsManyWithExpiry whether its version has {@code MSETEX}
 */
public record ServerInfo(
        String runId, String replicationId, boolean isReplica, int major, int minor, boolean setsManyWithExpiry) {
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

    /** {@code GETDEL} came with this version. */
    static final String OLDEST_VERSION = "6.2";

    /** Of a server whose version does not matter. */
    ServerInfo(String runId, String replicationId, boolean isReplica, int major, int minor) {
        this(runId, replicationId, isReplica, major, minor, false);
    }

    /**
     * Reads the answers to {@code INFO server} and {@code INFO replication}, the first of which may be empty; empty if they say
     * neither a run id nor a replication id.
     */
    static Optional<ServerInfo> parse(String server, String replication) {
        return Optional.of(parseOrNameless(server, replication)).filter(info -> !info.isNameless());
    }

    /** Reads the same. A server that says neither id has no name, and is told apart by its data only. */
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
                setsManyWithExpiry(server));
    }

    /** {@code MSETEX} came with Redis 8.4 and with Valkey 9.1, which says that it is compatible with Redis 7.2. */
    private static boolean setsManyWithExpiry(String server) {
        Matcher valkey = VALKEY.matcher(server);
        if (valkey.find()) {
            return isAtLeast(valkey, 9, 1);
        }
        Matcher redis = VERSION.matcher(server);
        return redis.find() && isAtLeast(redis, 8, 4);
    }

    private static boolean isAtLeast(Matcher version, int major, int minor) {
        int found = Integer.parseInt(version.group(1));
        return found > major || (found == major && Integer.parseInt(version.group(2)) >= minor);
    }

    /** Returns whether it says neither id. */
    public boolean isNameless() {
        return runId.isEmpty();
    }

    /** Returns why a server with this answer to {@code INFO server} is none for us, whatever its version. */
    static Optional<String> objection(String server) {
        Matcher mode = MODE.matcher(server);
        if (!mode.find()) {
            return Optional.empty();
        }
        return switch (mode.group(1)) {
            case "cluster" -> Optional.of(NO_CLUSTER);
            case "sentinel" -> Optional.of(NO_SENTINEL);
            default -> Optional.empty();
        };
    }

    /** Returns why a server with this answer to {@code INFO server} is no node of a cluster. */
    static Optional<String> objectionAsNode(String server) {
        Matcher mode = MODE.matcher(server);
        if (!mode.find()) {
            return Optional.empty();
        }
        return switch (mode.group(1)) {
            case "standalone" -> Optional.of(NO_NODE);
            case "sentinel" -> Optional.of(NO_SENTINEL);
            default -> Optional.empty();
        };
    }

    private static String replicationId(String replication) {
        Matcher id = REPLICATION_ID.matcher(replication);
        return id.find() ? id.group(1) : "";
    }

    /**
     * Returns what differs after a restart, and after the server was a replica. It also differs when a first replica has
     * come, or the last one has been gone for an hour.
     */
    public String serverRun() {
        return runId + ":" + replicationId;
    }

    /** Returns whether the server says which run of it this is. */
    boolean reportsRunId() {
        return !runId.equals(replicationId);
    }

    /** Returns whether the server is new enough, or does not say. */
    boolean isSupported() {
        return major == 0 || major > 6 || (major == 6 && minor >= 2);
    }
}
