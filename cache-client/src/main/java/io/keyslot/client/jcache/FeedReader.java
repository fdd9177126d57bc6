// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.LockLostException;
import io.keyslot.cache.feed.FeedBatch;
import io.keyslot.cache.feed.FeedChange;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FeedCommand.Attendance;
import io.keyslot.client.partition.FeedCommand.Change;
import io.keyslot.client.partition.FeedCommand.Intent;
import io.keyslot.client.partition.FeedCommand.Kind;
import io.keyslot.client.partition.FeedCommand.Origin;
import io.keyslot.client.partition.FeedCommand.Page;
import io.keyslot.client.partition.FeedCommand.Passing;
import io.keyslot.client.partition.FeedCommand.Position;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Envelope;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the feed of one partition, one page at a time: while this member of a group holds the lease, or without a group, from
 * a position in memory. Thread-safe.
 *
 * <ul>
 *   <li>The handler is called only while the lease has not ended by this process's clock, which starts before the request.
 *   <li>The lease is released between two calls of the handler only, if it is another member's turn.
 *   <li>Where slots have arrived from another partition, nothing after the arrival is delivered before the group has
 *       recorded what that partition had of them. Such waits point to the past, so they never form a circle. What can no
 *       longer be waited for is a gap.
 * </ul>
 */
final class FeedReader<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(FeedReader.class);

    /** The pause before an empty feed is read again. */
    private static final Duration POLL = Duration.ofMillis(100);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final CacheFeed<K, V> feed;
    private final PartitionId id;

    // Guarded by this.
    private int turn;
    private long token; // 0 without the lease; FeedCommand.WITHOUT_GROUP if none is needed
    private boolean isTurn;
    private long heldUntilNanos;
    private boolean isBusy; // with a page, from its request to the end of the handler's call, or with a pause
    private @Nullable Position position; // after the last delivery; null for that of the group
    private @Nullable Position delivered; // after the last batch, and so before arrivals that followed it
    private @Nullable Position recorded;
    private boolean isGap; // to be delivered
    private int failures; // in a row, of the handler
    private @Nullable Long waitsUntilNanos; // for another partition
    private double lag = Double.NaN;
    private boolean isClosed;
    private boolean isRefused;

    private final CompletableFuture<Void> begun = new CompletableFuture<>();

    FeedReader(CacheFeed<K, V> feed, PartitionId id) {
        this.feed = feed;
        this.id = id;
        if (!feed.isOfGroup) {
            token = FeedCommand.WITHOUT_GROUP;
            isTurn = true;
        }
        feed.telemetry.showFeed(feed.group, id, this::lag);
    }

    private synchronized double lag() {
        return token == 0 || isClosed ? Double.NaN : lag;
    }

    private long nanos() {
        return feed.timing.ticker().nanos();
    }

    void attend(int present) {
        synchronized (this) {
            turn = present;
        }
        attend();
    }

    /** Returns a future that completes with the first answer to a read. */
    CompletableFuture<Void> begun() {
        return begun;
    }

    /** Returns whether everything up to this position of the partition was delivered. */
    synchronized boolean isAtOrAfter(String otherId) {
        return position != null && position.isAtOrAfter(otherId);
    }

    private void attend() {
        if (!feed.isOfGroup) {
            read();
            return;
        }
        FeedCommand.Attend command;
        synchronized (this) {
            // While it is busy, it keeps the lease, even if it is another member's turn.
            Intent intent = isBusy ? Intent.STAY : isClosed ? Intent.LEAVE : Intent.YIELD;
            command = new FeedCommand.Attend(feed.feed, feed.group, feed.member, turn, intent);
        }
        long sentAt = nanos();
        Futures.whenOver(feed.send(id, command), (reply, failure) -> attended(sentAt, reply));
    }

    private void attended(long sentAt, @Nullable Reply<Attendance> reply) {
        synchronized (this) {
            if (!(reply instanceof Reply.Done<Attendance> done)) {
                warnOnce(reply);
                return;
            }
            isTurn = done.value().isTurn();
            heldUntilNanos = sentAt + FeedCommand.LEASE.toNanos();
            if (token != done.value().token()) {
                token = done.value().token();
                position = null;
                delivered = null;
                recorded = null;
                isGap = false;
                waitsUntilNanos = null;
            }
        }
        read();
    }

    /** Called with the lock held. */
    private void warnOnce(@Nullable Reply<?> reply) {
        if (reply instanceof Reply.Refused<?> refused && refused.refusal() == Refusal.FORBIDDEN && !isRefused) {
            isRefused = true;
            LOG.warn(
                    "Cache {}: partition {} refuses to have its feed read: {}",
                    feed.calls.name(),
                    id,
                    refused.detail());
        }
    }

    /** Called with the lock held. */
    private boolean holds(long by) {
        return token == by && token != 0 && (!feed.isOfGroup || heldUntilNanos - nanos() > 0);
    }

    private void read() {
        FeedCommand.Read command;
        synchronized (this) {
            if (isBusy || isClosed || !holds(token)) {
                return;
            }
            isBusy = true;
            command = new FeedCommand.Read(feed.feed, feed.group, token, position, feed.isFromLatest);
        }
        Futures.whenOver(feed.send(id, command), (reply, failure) -> received(command.token(), reply));
    }

    private void received(long by, @Nullable Reply<Page> reply) {
        if (!(reply instanceof Reply.Done<Page> done)) {
            synchronized (this) {
                warnOnce(reply);
            }
            resumeAfter(POLL);
            return;
        }
        Page page = done.value();
        List<Change> changes = page.changes().stream()
                .takeWhile(change -> change.kind() != Kind.ARRIVAL)
                .toList();
        boolean isAtArrival = changes.isEmpty() && !page.changes().isEmpty();
        Position end = changes.size() == page.changes().size()
                ? page.end()
                : changes.isEmpty() ? null : changes.get(changes.size() - 1).at();
        boolean isEmpty;
        synchronized (this) {
            if (!page.isHeld() && token == by) {
                token = 0;
            }
            if (token != by) {
                isBusy = false;
                return;
            }
            isGap |= page.isGap() || (!feed.isOfGroup && position == null && feed.hasBegun());
            isEmpty = changes.isEmpty() && !isGap;
            if (isEmpty && !isAtArrival) {
                recorded = position == null ? end : recorded;
                position = end;
            }
            lag = page.size() - (position == null ? 0 : position.count());
        }
        begun.complete(null);
        if (isAtArrival) {
            Change arrival = page.changes().get(0);
            pass(by, arrival.at(), arrival.origin());
        } else if (isEmpty || end == null) {
            resumeAfter(POLL);
        } else {
            try {
                feed.threads.execute(() -> deliver(by, changes, end));
            } catch (RejectedExecutionException full) {
                resumeAfter(POLL);
            }
        }
    }

    private void resumeAfter(Duration pause) {
        var unused = feed.timing.schedule(this::resume, pause.toNanos());
    }

    /** Reads on, or releases the lease. */
    private void resume() {
        boolean isToRead;
        synchronized (this) {
            isBusy = false;
            isToRead = isTurn && !isClosed;
        }
        if (isToRead) {
            read();
        } else {
            attend();
        }
    }

    private void deliver(long by, List<Change> changes, Position end) {
        boolean isBehindGap;
        synchronized (this) {
            if (isClosed || !holds(by)) {
                isBusy = false;
                return;
            }
            isBehindGap = isGap;
        }
        Batch batch = batch(by, changes, end, isBehindGap);
        try {
            feed.handler.accept(batch);
        } catch (RuntimeException | Error e) {
            failed(e);
            return;
        }
        feed.telemetry.onFeedBatch(feed.group, batch.changes().size(), batch.isGap());
        synchronized (this) {
            if (token == by) {
                position = end;
                delivered = end;
                isGap = false;
            }
            failures = 0;
        }
        resume();
    }

    private void failed(Throwable failure) {
        Duration pause;
        synchronized (this) {
            pause = Timing.doubled(POLL, failures++, LONGEST_PAUSE);
        }
        LOG.warn(
                "Cache {}: the handler of group {} failed with changes of partition {}, which are delivered again in {} ms",
                feed.calls.name(),
                feed.group,
                id,
                pause.toMillis(),
                failure);
        resumeAfter(pause);
    }

    private Batch batch(long by, List<Change> changes, Position end, boolean isBehindGap) {
        List<FeedChange<K, V>> decoded = new ArrayList<>(changes.size());
        boolean areAll = true;
        for (Change change : changes) {
            K key = feed.calls.decodeOrNull(change.key());
            areAll &= key != null;
            if (key != null) {
                decoded.add(new FeedChange<>(
                        FeedChange.Kind.valueOf(change.kind().name()), key, value(change), change.stamp()));
            }
        }
        return new Batch(List.copyOf(decoded), isBehindGap || !areAll, by, end);
    }

    private @Nullable V value(Change change) {
        Envelope envelope = change.envelope();
        try {
            return envelope == null
                    ? null
                    : feed.coder.decode(change.key(), envelope).orElse(null);
        } catch (KeyslotException e) {
            return null;
        }
    }

    /** Passes the arrival of slots when the group has recorded what their former partition had. */
    private void pass(long by, Position arrival, @Nullable Origin origin) {
        synchronized (this) {
            if (isClosed || !isTurn || !holds(by)) {
                waitsUntilNanos = null;
                resumeAfter(Duration.ZERO);
                return;
            }
            if (waitsUntilNanos == null) {
                waitsUntilNanos = nanos() + TimeUnit.MILLISECONDS.toNanos(feed.feed.keepMillis());
            }
        }
        if (origin == null || !feed.hasPartition(origin.partition())) {
            passed(by, arrival, true);
            return;
        }
        Futures.whenOver(feed.hasPassed(origin), (reply, failure) -> {
            Passing passing = reply instanceof Reply.Done<Passing> done ? done.value() : Passing.PENDING;
            boolean isOver;
            synchronized (this) {
                isOver = waitsUntilNanos == null || waitsUntilNanos - nanos() < 0;
            }
            if (passing == Passing.PENDING && !isOver) {
                var unused = feed.timing.schedule(() -> pass(by, arrival, origin), POLL.toNanos());
            } else {
                passed(by, arrival, passing != Passing.PASSED);
            }
        });
    }

    private void passed(long by, Position arrival, boolean isLost) {
        boolean isToRecord = false;
        synchronized (this) {
            if (token == by) {
                isGap |= isLost;
                isToRecord = feed.isOfGroup
                        && !isGap
                        && (position == null || position.equals(recorded)); // a gap is recorded by the handler
                position = arrival;
                recorded = isToRecord ? arrival : recorded;
                waitsUntilNanos = null;
            }
        }
        if (isToRecord) { // otherwise other partitions would wait for it until the next change here
            var unused = feed.send(id, new FeedCommand.Checkpoint(feed.feed, feed.group, by, arrival));
        }
        resume();
    }

    private void record(long by, Position end) {
        Position to;
        synchronized (this) {
            if (token == by && recorded != null && recorded.count() >= end.count()) {
                return;
            }
            to = token == by && end.equals(delivered) && position != null ? position : end;
        }
        Reply<Boolean> reply = feed.ask(id, new FeedCommand.Checkpoint(feed.feed, feed.group, by, to));
        if (!(reply instanceof Reply.Done<Boolean> done)) {
            throw feed.calls.failures().ofChange("checkpoint", reply);
        }
        if (!done.value()) {
            throw new LockLostException(
                    "Cache %s: the changes of partition %s were not recorded: this process does not hold it any more for group %s, or it has lost the group; they are delivered again"
                            .formatted(feed.calls.name(), id, feed.group));
        }
        synchronized (this) {
            if (token == by) {
                recorded = to;
            }
        }
    }

    /** The partition is no longer in the map; what was not read of it is a gap, which is delivered once. */
    void partitionLeft() {
        long by;
        synchronized (this) {
            by = token;
            isClosed = true;
        }
        if (by == 0) {
            return;
        }
        try {
            feed.threads.execute(() -> {
                try {
                    feed.handler.accept(new Batch(List.of(), true, by, null));
                } catch (RuntimeException e) {
                    LOG.warn("Cache {}: the handler of group {} failed with a gap", feed.calls.name(), feed.group, e);
                }
            });
        } catch (RejectedExecutionException full) {
            LOG.warn("Cache {}: group {} misses a gap: partition {} has left", feed.calls.name(), feed.group, id);
        }
    }

    void close() {
        synchronized (this) {
            isClosed = true;
            if (isBusy) {
                return; // the lease is released afterwards
            }
        }
        attend();
    }

    private final class Batch implements FeedBatch<K, V> {
        private final List<FeedChange<K, V>> changes;
        private final boolean isGap;
        private final long token;
        private final @Nullable Position end; // null if there is nothing to record

        Batch(List<FeedChange<K, V>> changes, boolean isGap, long token, @Nullable Position end) {
            this.changes = changes;
            this.isGap = isGap;
            this.token = token;
            this.end = end;
        }

        @Override
        public String partition() {
            return id.toString();
        }

        @Override
        public List<FeedChange<K, V>> changes() {
            return changes;
        }

        @Override
        public boolean isGap() {
            return isGap;
        }

        @Override
        public long fencingToken() {
            return token;
        }

        @Override
        public void checkpoint() {
            if (end != null) {
                record(token, end);
            }
        }
    }
}
