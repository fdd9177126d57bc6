// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.feed.FeedBatch;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.client.Client;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FeedCommand.Origin;
import io.keyslot.client.partition.FeedCommand.Passing;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the feed of a cache: a {@link FeedReader} for each partition. As a member of a group, each attends to the group once a
 * second; members know each other only by the partitions. For the listeners of this process, each reads its whole partition,
 * and keeps its position in memory. Thread-safe.
 */
final class CacheFeed<K, V> implements EventDispatcher.Reading {
    /** The name under which the feed is measured if it is read for the listeners of this process. */
    private static final String LISTENERS = "listeners";

    private static final Duration BETWEEN_ATTENDANCES = Duration.ofSeconds(1);

    /** How long a registration of a listener waits for partitions. Those that answer later begin with a gap. */
    private static final Duration LONGEST_BEGIN = Duration.ofSeconds(1);

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(2);
    private static final int LONGEST_GROUP = 100;

    final Feed feed;
    final String group;
    final boolean isOfGroup;
    final String member;
    final boolean isFromLatest;
    final Consumer<? super FeedBatch<K, V>> handler;
    final CacheCalls<K> calls;
    final ValueCoder<V> coder;
    private final Client client;
    final Timing timing;
    final Executor threads;
    final CacheTelemetry telemetry;
    private final Map<PartitionId, FeedReader<K, V>> readers = new HashMap<>(); // guarded by this
    private boolean isClosed; // guarded by this
    private volatile boolean hasBegun;

    /**
     * Creates a reader, which begins with {@link #begin}; {@code threads} runs the handler.
     *
     * @param group the group, or null to read for the listeners of this process
     */
    CacheFeed(
            Feed feed,
            @Nullable String group,
            FeedStart start,
            Consumer<? super FeedBatch<K, V>> handler,
            CacheCalls<K> calls,
            ValueCoder<V> coder,
            Client client,
            Executor threads,
            CacheTelemetry telemetry) {
        if (group != null && (group.isEmpty() || group.length() > LONGEST_GROUP)) {
            throw new IllegalArgumentException("Cache %s: the name of a group has %d characters, must have 1 to %d"
                    .formatted(calls.name(), group.length(), LONGEST_GROUP));
        }
        this.feed = feed;
        this.group = group == null ? LISTENERS : group;
        this.isOfGroup = group != null;
        this.member = "%016x".formatted(client.timing().random().nextLong());
        this.isFromLatest = start == FeedStart.LATEST;
        this.handler = handler;
        this.calls = calls;
        this.coder = coder;
        this.client = client;
        this.timing = client.timing();
        this.threads = threads;
        this.telemetry = telemetry;
    }

    void begin() {
        List<PartitionId> partitions = client.router().layout().partitions().stream()
                .map(PartitionOptions::name)
                .sorted(Comparator.comparing(PartitionId::toString))
                .toList();
        synchronized (this) {
            if (isClosed) {
                return;
            }
            readers.entrySet().removeIf(reader -> {
                boolean isGone = !partitions.contains(reader.getKey());
                if (isGone) {
                    reader.getValue().partitionLeft();
                }
                return isGone;
            });
            for (int turn = 0; turn < partitions.size(); turn++) {
                readers.computeIfAbsent(partitions.get(turn), id -> new FeedReader<>(this, id))
                        .attend(turn);
            }
        }
        var unused = timing.schedule(this::begin, BETWEEN_ATTENDANCES.toNanos());
    }

    /** Waits for a short time until the position is known at each partition. */
    @Override
    public void settle() {
        CompletableFuture<?> all;
        synchronized (this) {
            all = CompletableFuture.allOf(
                    readers.values().stream().map(FeedReader::begun).toArray(CompletableFuture<?>[]::new));
        }
        client.waiter().awaitClose(all.thenApply(done -> true), LONGEST_BEGIN, () -> false);
        hasBegun = true;
    }

    /** Returns whether a reader without a position may have missed changes since the beginning. */
    boolean hasBegun() {
        return hasBegun;
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            readers.values().forEach(FeedReader::close);
        }
    }

    boolean hasPartition(String name) {
        return client.router().layout().partitions().stream()
                .anyMatch(partition -> partition.name().toString().equals(name));
    }

    /** Answers whether what a partition had of slots that it has given away was read, in the group or by this process. */
    CompletableFuture<Reply<Passing>> hasPassed(Origin origin) {
        PartitionId from = new PartitionId(origin.partition());
        if (isOfGroup) {
            return send(from, new FeedCommand.HasPassed(feed, group, origin));
        }
        FeedReader<K, V> reader;
        synchronized (this) {
            reader = readers.get(from);
        }
        boolean isPassed = reader != null && reader.isAtOrAfter(origin.lastId());
        return CompletableFuture.completedFuture(Reply.done(isPassed ? Passing.PASSED : Passing.PENDING));
    }

    <R> CompletableFuture<Reply<R>> send(PartitionId partition, Command<R> command) {
        return client.router()
                .sendTo(partition, command, Patience.until(Deadline.after(timing.ticker(), LONGEST_ANSWER)));
    }

    <R> Reply<R> ask(PartitionId partition, Command<R> command) {
        return client.ask(partition, command, LONGEST_ANSWER);
    }
}
