// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends the pending deletes of a partition: at once, and again later if unconfirmed; first of all over a new
 * connection. They are sent by the routes of their slots; those of moving slots check a fence. The pause before a retry
 * starts at 100 ms and doubles with every failure up to 2 s; its second half is random. Thread-safe; no method throws
 * or blocks.
 */
final class Deletions {
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /** The time for the maximum number of keys; a server that needs longer is not fit to serve. */
    static final Duration LONGEST_REPLAY = Duration.ofSeconds(2);

    private final PendingDeletes pendingDeletes;
    private final Timing timing;
    private final Partition partition;
    private final AtomicBoolean planned = new AtomicBoolean();
    private final AtomicBoolean clearing = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile Function<EncodedKey, Route> routes = key -> Route.ANY;

    Deletions(PendingDeletes pendingDeletes, Timing timing, Partition partition) {
        this.pendingDeletes = pendingDeletes;
        this.timing = timing;
        this.partition = partition;
    }

    void route(Function<EncodedKey, Route> newest) {
        routes = newest;
    }

    /** Deletes keys that were added to the pending deletes before the caller read the connection. */
    void sendAtOnce(List<EncodedKey> keys, PartitionConnection over) {
        for (List<EncodedKey> some : Slices.of(keys, PendingDeletes.MOST_KEYS_OF_A_BATCH)) {
            PendingDeletes.Batch batch = pendingDeletes.batchOf(some);
            send(batch, over, () -> pendingDeletes.confirm(batch));
        }
    }

    private void send(PendingDeletes.Batch batch, PartitionConnection over, Runnable whenDone) {
        Futures.whenOver(sendBatch(batch, over), (reply, failure) -> {
            if (reply instanceof Reply.Done) {
                failures.set(0);
                whenDone.run();
            } else {
                failed(batch, over, reply);
            }
        });
    }

    private void failed(PendingDeletes.Batch batch, PartitionConnection over, @Nullable Reply<?> reply) {
        // Before any reply is processed that arrives after this one.
        if (reply instanceof Reply.Refused<?> refused && refused.refusal().isOfWrites()) {
            pendingDeletes.refuse(batch, refused.detail());
        } else {
            pendingDeletes.keepPending(batch);
        }
        // A missing partition needs no plan: the next connection starts with the pending deletes.
        if (!partition.deletionFailed(over, reason(reply)) && partition.connection() != null) {
            tryAgainLater();
        }
    }

    void tryAgainLater() {
        if (planned.compareAndSet(false, true)) {
            timing.schedule(this::tryAgain, pauseNanos());
        }
    }

    private long pauseNanos() {
        Duration half = Timing.doubled(FIRST_PAUSE, failures.getAndIncrement(), LONGEST_PAUSE)
                .dividedBy(2);
        return half.toNanos() + timing.upTo(half);
    }

    private void tryAgain() {
        planned.set(false);
        sendNext(pendingDeletes.latest());
        clearNext();
    }

    /** Removes the entries of the next cache that is to be cleared, page by page, then of the one after it. */
    void clearNext() {
        PartitionConnection over = partition.connection();
        PendingDeletes.Clear next = pendingDeletes.clears().stream().findFirst().orElse(null);
        if (over != null && next != null && clearing.compareAndSet(false, true)) {
            clearFrom(ScanPage.START, next, over);
        }
    }

    private void clearFrom(String cursor, PendingDeletes.Clear clear, PartitionConnection over) {
        Command.Scan scan = new Command.Scan(cursor, clear.prefix(), PendingDeletes.MOST_KEYS_OF_A_BATCH);
        Futures.whenOver(over.send(scan, Route.ANY, Patience.UNLIMITED), (reply, failure) -> {
            if (reply instanceof Reply.Done<ScanPage> done) {
                remove(done.value(), clear, over);
            } else {
                clearFailed();
            }
        });
    }

    private void remove(ScanPage page, PendingDeletes.Clear clear, PartitionConnection over) {
        List<EncodedKey> keys = page.keys().stream().map(clear.asOfCache()).toList();
        CompletableFuture<? extends Reply<?>> removal = keys.isEmpty()
                ? CompletableFuture.completedFuture(Reply.done(keys))
                : sendBatch(pendingDeletes.batchOf(keys), over);
        Futures.whenOver(removal, (reply, failure) -> {
            if (!(reply instanceof Reply.Done)) {
                clearFailed();
            } else if (page.isLast()) {
                partition.cleared(clear);
                pendingDeletes.confirm(clear);
                failures.set(0);
                clearing.set(false);
                clearNext();
            } else {
                // Not at once: an engine that answers on this thread would recurse one level deeper with each page.
                timing.schedule(() -> clearFrom(page.next(), clear, over), 0);
            }
        });
    }

    /** The clear starts again after a pause, or with the next connection. */
    private void clearFailed() {
        clearing.set(false);
        if (partition.connection() != null) {
            tryAgainLater();
        }
    }

    private void sendNext(long upTo) {
        PendingDeletes.Batch batch = pendingDeletes.next().orElse(null);
        PartitionConnection over = partition.connection();
        if (batch == null || batch.isEverything() || over == null || pendingDeletes.isDoneUpTo(upTo)) {
            if (pendingDeletes.clears().isEmpty()) {
                failures.set(0); // a failing clear keeps its longer pauses
            }
            return;
        }
        send(batch, over, () -> {
            partition.log.replayed(pendingDeletes.confirm(batch));
            sendNext(upTo);
        });
    }

    private CompletableFuture<? extends Reply<?>> sendBatch(PendingDeletes.Batch batch, PartitionConnection over) {
        try {
            return batch.isEverything() ? sendOver(new Command.NewEpoch(), over, Route.ANY) : sendByRoute(batch, over);
        } catch (RuntimeException e) {
            // An engine that breaks the port's contract must not fail the call that invalidates.
            return CompletableFuture.completedFuture(
                    Reply.unknown("unexpected " + e.getClass().getSimpleName(), e));
        }
    }

    private CompletableFuture<? extends Reply<?>> sendByRoute(PendingDeletes.Batch batch, PartitionConnection over) {
        Function<EncodedKey, Route> now = routes;
        Map<Route, List<EncodedKey>> byRoute = new LinkedHashMap<>();
        batch.keys()
                .forEach(key -> byRoute.computeIfAbsent(now.apply(key), first -> new ArrayList<>())
                        .add(key));
        CompletableFuture<Reply<Long>> whole = CompletableFuture.completedFuture(Reply.done(0L));
        for (Map.Entry<Route, List<EncodedKey>> part : byRoute.entrySet()) {
            whole = whole.thenCombine(
                    sendOver(new Command.RemoveAll(part.getValue()), over, part.getKey()),
                    (before, reply) -> before instanceof Reply.Done ? reply : before);
        }
        return whole;
    }

    private <R> CompletableFuture<Reply<R>> sendOver(Command<R> command, PartitionConnection over, Route route) {
        CompletableFuture<Reply<R>> reply = over.send(command, route, Patience.UNLIMITED);
        return reply.whenComplete((late, failure) -> partition.deleted(command, late, over));
    }

    private static String reason(@Nullable Reply<?> reply) {
        if (reply instanceof Reply.Refused<?> refused) {
            return refused.detail();
        }
        return reply instanceof Reply.Unknown<?> unknown ? unknown.detail() : "no reply";
    }

    /**
     * Replays the pending deletes up to a number, as {@link Replay}. Returns whether a new epoch was started instead, so
     * that all stored entries are invalid for the next connection.
     */
    CompletableFuture<Boolean> replay(long upTo, PartitionConnection over) {
        return new Replay(upTo, over).run();
    }

    static ConnectFailure failure(String why) {
        return new ConnectFailure(
                ConnectFailure.Kind.UNREACHABLE,
                "the deletions that have to come first were not confirmed: " + why,
                null);
    }

    /**
     * Sends all pending deletes over a new connection, batch by batch, before the connection has any other use. After
     * an overflow it starts a new epoch instead. Deletes of moving slots that cannot be done now stay pending and do
     * not stop the others.
     */
    private final class Replay {
        private final long upTo;
        private final PartitionConnection over;
        private final CompletableFuture<Boolean> result = new CompletableFuture<>();

        Replay(long upTo, PartitionConnection over) {
            this.upTo = upTo;
            this.over = over;
        }

        /** Starts. The future fails with a {@link ConnectFailure} if a batch was not confirmed or the time ran out. */
        CompletableFuture<Boolean> run() {
            if (pendingDeletes.isDoneUpTo(upTo)) {
                result.complete(false);
                return result;
            }
            timing.schedule(
                            () -> fail("they were not over within " + LONGEST_REPLAY.toMillis() + " ms"),
                            LONGEST_REPLAY.toNanos())
                    .ifPresent(timer -> Futures.whenOver(result, (outcome, failure) -> timer.cancel(false)));
            sendNext();
            return result;
        }

        private void sendNext() {
            PendingDeletes.Batch batch = pendingDeletes.next().orElse(null);
            if (batch == null || pendingDeletes.isDoneUpTo(upTo)) {
                result.complete(false);
            } else if (!result.isDone()) {
                Futures.whenOver(sendBatch(batch, over), (reply, failure) -> {
                    if (reply instanceof Reply.Done) {
                        confirmed(batch);
                    } else if (!batch.isEverything() && isOfMove(reply)) {
                        pendingDeletes.postpone(batch);
                        sendNext();
                    } else {
                        fail(reason(reply));
                    }
                });
            }
        }

        private static boolean isOfMove(@Nullable Reply<?> reply) {
            return reply instanceof Reply.Refused<?> refused
                    && refused.refusal().isOfMove();
        }

        private void confirmed(PendingDeletes.Batch batch) {
            partition.log.replayed(pendingDeletes.confirm(batch));
            if (batch.isEverything()) {
                result.complete(true);
            } else {
                sendNext();
            }
        }

        private void fail(String why) {
            result.completeExceptionally(failure(why));
        }
    }
}
