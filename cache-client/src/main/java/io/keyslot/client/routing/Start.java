// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.health.Partition;
import io.keyslot.client.partition.ConnectFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Starts all partitions of a client in two steps: first it checks each, which writes nothing. If none of those that
 * answered in time rejects this client, it connects them, which may write.
 *
 * <p>A partition not reached in time is connected too, and checked once it answers; a rejection makes it missing. A
 * failed check counts as its first attempt; a check without an outcome is not waited for. For one use.
 */
final class Start {
    /** The additional wait for connects of partitions that answered the check, even if the time is over. */
    static final Duration LONGEST_CONNECT = Duration.ofMillis(800);

    private final List<Partition> partitions;
    private final Timing timing;
    private final Queue<Partition> reached = new ConcurrentLinkedQueue<>();
    private final Map<Partition, ConnectFailure> unreached = new ConcurrentHashMap<>();
    private final Map<Partition, ConnectFailure> refusals = new ConcurrentHashMap<>();

    Start(List<Partition> partitions, Timing timing) {
        this.partitions = partitions;
        this.timing = timing;
    }

    /**
     * Returns the rejections. Completes at most {@link #LONGEST_CONNECT} after the given time. With
     * {@code despiteRejections}, connects the others even if some reject this client, which are missing then.
     */
    CompletableFuture<List<ConnectFailure>> run(Duration wait, boolean despiteRejections) {
        long end = timing.ticker().nanos() + wait.toNanos();
        return atMost(wait.toNanos(), all(partitions.stream().map(this::look)))
                .thenCompose(looked -> refusals.isEmpty() || despiteRejections
                        ? connect(end)
                        : CompletableFuture.completedFuture(List.copyOf(refusals.values())));
    }

    private CompletableFuture<Void> look(Partition partition) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        Futures.whenOver(partition.look(), (looked, thrown) -> {
            if (thrown == null) {
                reached.add(partition);
            } else {
                ConnectFailure failure = Partition.failureOf(thrown);
                if (failure.kind() == ConnectFailure.Kind.REJECTED) {
                    refusals.put(partition, failure);
                } else {
                    unreached.put(partition, failure);
                }
            }
            over.complete(null);
        });
        return over;
    }

    /** Partitions that answer the check later count as not reached. */
    private CompletableFuture<List<ConnectFailure>> connect(long end) {
        List<Partition> agreed = List.copyOf(reached);
        Map<Partition, ConnectFailure> failures = new HashMap<>(unreached);
        failures.putAll(refusals);
        List<CompletableFuture<Void>> awaited = new ArrayList<>();
        for (Partition partition : partitions) {
            ConnectFailure failure = failures.get(partition);
            CompletableFuture<Void> tried = failure == null ? partition.start() : partition.startAfter(failure);
            if (failure != null || agreed.contains(partition)) {
                awaited.add(tried);
            }
        }
        long left = Math.max(LONGEST_CONNECT.toNanos(), end - timing.ticker().nanos());
        return atMost(left, all(awaited.stream()))
                .thenApply(tried -> Stream.concat(
                                refusals.values().stream(),
                                agreed.stream().flatMap(partition -> partition.rejection().stream()))
                        .toList());
    }

    private static CompletableFuture<Void> all(Stream<CompletableFuture<Void>> steps) {
        return CompletableFuture.allOf(steps.toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> atMost(long nanos, CompletableFuture<Void> steps) {
        if (steps.isDone()) {
            return steps;
        }
        Optional<Future<?>> timer = timing.schedule(() -> steps.complete(null), nanos);
        return steps.whenComplete((done, failure) -> timer.ifPresent(pending -> pending.cancel(false)));
    }
}
