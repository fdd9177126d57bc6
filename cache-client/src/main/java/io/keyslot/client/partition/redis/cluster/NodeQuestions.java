// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.redis.wire.Causes;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An operator's queries to a node, in one round trip. Only {@code CLUSTER NODES} must succeed. */
record NodeQuestions(RedisAsyncCommands<byte[], byte[]> redis, String address) {
    CompletableFuture<NodeReport> ask() {
        CompletionStage<NodeReport> nodes = redis.clusterNodes().handle(this::read);
        CompletionStage<String> cluster = orElse(redis.clusterInfo(), "");
        CompletionStage<Map<String, String>> settings = orElse(redis.configGet(NodeReport.WHEN_DOWN), Map.of());
        CompletionStage<Long> keys = orElse(redis.dbsize(), NodeReport.NOT_KNOWN);
        CompletionStage<String> memory = orElse(redis.info("memory"), "");
        return nodes.thenCombine(cluster, NodeReport::withClusterInfo)
                .thenCombine(settings, NodeReport::withSettings)
                .thenCombine(keys, NodeReport::withKeys)
                .thenCombine(memory, NodeReport::withMemory)
                .toCompletableFuture();
    }

    private static <T> CompletionStage<T> orElse(CompletionStage<T> answer, T otherwise) {
        return answer.exceptionally(failure -> otherwise);
    }

    private NodeReport read(@Nullable String text, @Nullable Throwable failure) {
        if (text == null) {
            throw failed("CLUSTER NODES is not answered: " + (failure == null ? "" : Causes.reason(failure)), failure);
        }
        List<KnownNode> known = KnownNode.readAll(text).orElseThrow(() -> failed("CLUSTER NODES cannot be read", null));
        if (known.stream().noneMatch(KnownNode::isItself)) {
            throw failed("CLUSTER NODES does not name the node itself", null);
        }
        return NodeReport.of(known);
    }

    private CompletionException failed(String why, @Nullable Throwable cause) {
        return new CompletionException(ConnectFailure.at(address, ConnectFailure.Kind.UNREACHABLE, why, cause));
    }
}
