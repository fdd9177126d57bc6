// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one node says of its cluster and of itself, to an operator. What it does not say is empty. Pure.
 *
 * @param nodes all that it knows, itself among them
 * @param clusterInfo the answer to {@code CLUSTER INFO}
 * @param settings of the node, by their names
 * @param keys how many it has, {@link #NOT_KNOWN} if it does not say
 * @param memory the answer to {@code INFO memory}
 */
public record NodeReport(
        List<KnownNode> nodes, String clusterInfo, Map<String, String> settings, long keys, String memory) {
    /** Of a number. */
    public static final long NOT_KNOWN = -1;

    /** The setting by which a node that has lost the others goes on to answer reads, from what may be old. */
    static final String WHEN_DOWN = "cluster-allow-reads-when-down";

    public NodeReport {
        nodes = List.copyOf(nodes);
        settings = Map.copyOf(settings);
    }

    static NodeReport of(List<KnownNode> nodes) {
        return new NodeReport(nodes, "", Map.of(), NOT_KNOWN, "");
    }

    NodeReport withClusterInfo(String told) {
        return new NodeReport(nodes, told, settings, keys, memory);
    }

    NodeReport withSettings(Map<String, String> told) {
        return new NodeReport(nodes, clusterInfo, told, keys, memory);
    }

    NodeReport withKeys(long told) {
        return new NodeReport(nodes, clusterInfo, settings, told, memory);
    }

    NodeReport withMemory(String told) {
        return new NodeReport(nodes, clusterInfo, settings, keys, told);
    }

    /** Returns what it says of itself. */
    public KnownNode itself() {
        return nodes.stream().filter(KnownNode::isItself).findFirst().orElseThrow();
    }

    /** Returns whether it says that it does not serve, as there are slots of which it knows no owner that lives. */
    public boolean isDown() {
        return Pattern.compile("(?m)^cluster_state:fail\\s*$")
                .matcher(clusterInfo)
                .find();
    }

    /** Returns whether it answers reads though it is down. */
    public boolean readsWhenDown() {
        return "yes".equals(settings.get(WHEN_DOWN));
    }

    /** Returns how many bytes it uses. */
    public OptionalLong usedBytes() {
        return number("used_memory");
    }

    /** Returns how many bytes it may use; empty as well if it may use all that there are. */
    public OptionalLong mostBytes() {
        OptionalLong most = number("maxmemory");
        return most.isPresent() && most.getAsLong() == 0 ? OptionalLong.empty() : most;
    }

    private OptionalLong number(String field) {
        Matcher line =
                Pattern.compile("(?m)^%s:(\\d{1,18})\\s*$".formatted(field)).matcher(memory);
        return line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
    }
}
