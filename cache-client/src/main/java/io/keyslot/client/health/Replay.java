// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends all pending deletes over a new connection, batch by batch, before the connection has any other use. After an
 * overflow it starts a new epoch instead. Deletes of moving slots that cannot be done now stay pending and do not stop
 * the others.
 */
final class Replay {
    /** The time for the maximum number of keys; a server that needs longer is not fit to serve. */
    static final Duration LONGEST = Duration.ofSeconds(2);

    enum Outcome {
        /** All deletions that were pending at the start are done. */
        DONE,
        /** All stored entries are invalid for the next connection. */
        NEW_EPOCH
    }

    private final PendingDeletes pendingDeletes;
    private final long upTo;
    private final PartitionConnection over;
    private final DeletionSender sender;
    private final IntConsumer replayed;
    private final CompletableFuture<Outcome> result = new CompletableFuture<>();

    /**
     * Creates a replay of the pending deletes up to a number; {@code replayed} receives the number of deletions of each
     * batch.
     */
    Replay(
            PendingDeletes pendingDeletes,
            long upTo,
            PartitionConnection over,
            DeletionSender sender,
            IntConsumer replayed) {
        this.pendingDeletes = pendingDeletes;
        this.upTo = upTo;
        this.over = over;
        this.sender = sender;
        this.replayed = replayed;
    }

    /** Starts. The future fails with a {@link ConnectFailure} if a batch was not confirmed or the time ran out. */
    CompletableFuture<Outcome> run(Timing timing) {
        if (pendingDeletes.isDoneUpTo(upTo)) {
            result.complete(Outcome.DONE);
            return result;
        }
        timing.schedule(() -> fail("they were not over within " + LONGEST.toMillis() + " ms"), LONGEST.toNanos())
                .ifPresent(this::cancelWhenOver);
        sendNext();
        return result;
    }

    private void cancelWhenOver(Future<?> timer) {
        Futures.whenOver(result, (outcome, failure) -> timer.cancel(false));
    }

    private void sendNext() {
        PendingDeletes.Batch batch = pendingDeletes.next().orElse(null);
        if (batch == null || pendingDeletes.isDoneUpTo(upTo)) {
            result.complete(Outcome.DONE);
        } else if (!result.isDone()) {
            Futures.whenOver(sender.send(batch, over), (reply, failure) -> {
                if (reply instanceof Reply.Done) {
                    confirmed(batch);
                } else if (batch instanceof PendingDeletes.Keys keys && isOfMove(reply)) {
                    pendingDeletes.postpone(keys);
                    sendNext();
                } else {
                    fail(DeletionSender.reason(reply));
                }
            });
        }
    }

    private static boolean isOfMove(@Nullable Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.refusal().isOfMove();
    }

    private void confirmed(PendingDeletes.Batch batch) {
        replayed.accept(pendingDeletes.confirm(batch));
        if (batch instanceof PendingDeletes.Everything) {
            result.complete(Outcome.NEW_EPOCH);
        } else {
            sendNext();
        }
    }

    private void fail(String why) {
        result.completeExceptionally(failure(why));
    }

    static ConnectFailure failure(String why) {
        return new ConnectFailure(
                ConnectFailure.Kind.UNREACHABLE,
                "the deletions that have to come first were not confirmed: " + why,
                null);
    }
}
