// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.ConnectFailure;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The report of one node about its cluster and itself, for an operator. Missing parts are empty.
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
    private static final String WHEN_DOWN = "cluster-allow-reads-when-down";

    public NodeReport {
        nodes = List.copyOf(nodes);
        settings = Map.copyOf(settings);
    }

    /** Asks a node, in one round trip. Only {@code CLUSTER NODES} must succeed. */
    static CompletableFuture<NodeReport> ask(RedisAsyncCommands<byte[], byte[]> redis, String address) {
        CompletableFuture<List<KnownNode>> nodes = redis.clusterNodes()
                .handle((text, failure) -> nodes(text, failure, address))
                .toCompletableFuture();
        CompletableFuture<String> cluster = orElse(redis.clusterInfo(), "");
        CompletableFuture<Map<String, String>> settings = orElse(redis.configGet(WHEN_DOWN), Map.of());
        CompletableFuture<Long> keys = orElse(redis.dbsize(), NOT_KNOWN);
        CompletableFuture<String> memory = orElse(redis.info("memory"), "");
        return CompletableFuture.allOf(nodes, cluster, settings, keys, memory)
                .thenApply(done -> new NodeReport(
                        nodes.getNow(List.of()),
                        cluster.getNow(""),
                        settings.getNow(Map.of()),
                        keys.getNow(NOT_KNOWN),
                        memory.getNow("")));
    }

    private static <T> CompletableFuture<T> orElse(CompletionStage<T> answer, T otherwise) {
        return answer.exceptionally(failure -> otherwise).toCompletableFuture();
    }

    private static List<KnownNode> nodes(@Nullable String text, @Nullable Throwable failure, String address) {
        if (text == null) {
            String why = "CLUSTER NODES is not answered: " + (failure == null ? "" : ConnectDiagnosis.reason(failure));
            throw failed(address, why, failure);
        }
        List<KnownNode> known =
                KnownNode.readAll(text).orElseThrow(() -> failed(address, "CLUSTER NODES cannot be read", null));
        if (known.stream().noneMatch(KnownNode::isItself)) {
            throw failed(address, "CLUSTER NODES does not name the node itself", null);
        }
        return known;
    }

    private static CompletionException failed(String address, String why, @Nullable Throwable cause) {
        return new CompletionException(ConnectFailure.at(address, ConnectFailure.Kind.UNREACHABLE, why, cause));
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
