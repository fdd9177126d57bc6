// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import java.util.Map;
import java.util.Set;

/** The tools of Redis or Valkey Cluster that replace commands about Keyslot's maps. Pure. */
final class ServersTools {
    private static final String RESHARD = "redis-cli --cluster reshard";
    private static final String HELP = "redis-cli --cluster help";

    private static final Map<String, String> BY_COMMAND = Map.ofEntries(
            Map.entry("map", "keyslot check says who owns what, CLUSTER SLOTS at a node the slots"),
            Map.entry("plan", "redis-cli --cluster add-node, del-node, reshard and rebalance"),
            Map.entry("apply", RESHARD),
            Map.entry("moves", "redis-cli --cluster check, or CLUSTER GETSLOTMIGRATIONS on Valkey 9"),
            Map.entry("pause", "stop redis-cli between two slots"),
            Map.entry("resume", RESHARD + ", after redis-cli --cluster fix"),
            Map.entry("abort", "redis-cli --cluster fix, or CLUSTER CANCELSLOTMIGRATIONS on Valkey 9"),
            Map.entry("complete", "redis-cli --cluster fix"),
            Map.entry("reverse", RESHARD + ", the other way"),
            Map.entry("verify", "redis-cli --cluster check"),
            Map.entry("lost", "CLUSTER FAILOVER TAKEOVER at a replica, CLUSTER FORGET at the others"),
            Map.entry("placement", "none: the servers hash every key"),
            Map.entry("serve", "keyslot check, and the meters of the application"),
            Map.entry("clients", "CLIENT LIST at each node"),
            Map.entry("replica", "REPLICAOF at a node, CLUSTER REPLICATE; clients find replicas themselves"),
            Map.entry("autopilot", "redis-cli --cluster rebalance"),
            Map.entry("streams", "none: a cache of a cluster has no feed, and queues are measured by their receivers"),
            Map.entry("fix", "redis-cli --cluster fix"),
            Map.entry("recover", "redis-cli --cluster fix"),
            Map.entry(
                    "load",
                    "CLUSTER SLOT-STATS on Valkey 8 and Redis 8.2, redis-cli --hotkeys and --memkeys at each node"));

    private ServersTools() {}

    /** Returns why a command, such as {@code keyslot plan add}, is refused, and what to use in its place. */
    public static String instead(String command) {
        String[] words = command.split(" ", -1);
        return "%s is not for engine cluster, where the servers own the slots. Instead: %s"
                .formatted(command, words.length < 2 ? HELP : BY_COMMAND.getOrDefault(words[1], HELP));
    }

    public static Set<String> commands() {
        return BY_COMMAND.keySet();
    }
}
