// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The report of one node about its cluster and itself, for an operator. Missing parts are empty. Free of I/O.
 *
 * @param nodes all known nodes, including itself
 * @param clusterInfo the reply to {@code CLUSTER INFO}
 * @param settings of the node, by name
 * @param keys the number of keys, or {@link #NOT_KNOWN}
 * @param memory the reply to {@code INFO memory}
 */
public record NodeReport(
        List<KnownNode> nodes, String clusterInfo, Map<String, String> settings, long keys, String memory) {
    public static final long NOT_KNOWN = -1;

    /** The setting that lets a node without contact to the others serve possibly stale reads. */
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

    public KnownNode itself() {
        return nodes.stream().filter(KnownNode::isItself).findFirst().orElseThrow();
    }

    /** Returns whether the node reports that it does not serve, because some slot has no live owner. */
    public boolean isDown() {
        return Pattern.compile("(?m)^cluster_state:fail\\s*$")
                .matcher(clusterInfo)
                .find();
    }

    public boolean readsWhenDown() {
        return "yes".equals(settings.get(WHEN_DOWN));
    }

    public OptionalLong usedBytes() {
        return number("used_memory");
    }

    /** Returns the memory limit in bytes; also empty if there is no limit. */
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
