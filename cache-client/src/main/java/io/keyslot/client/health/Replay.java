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
 * Empties a journal over a new connection, one batch after the other, before anybody else uses the connection. If the
 * journal has overflowed, a new epoch is begun instead. What cannot be deleted for now because its slot is on its way stays
 * owed, and keeps nobody from the rest.
 */
final class Replay {
    /** For a full journal; a server that needs longer is not fit to serve. */
    static final Duration LONGEST = Duration.ofSeconds(2);

    /** How a replay ended that did not fail. */
    enum Outcome {
        /** What was in the journal when the replay began is deleted. */
        DONE,
        /** What the partition has stored is no entry any more, for the next connection. */
        NEW_EPOCH
    }

    private final PendingDeletes pendingDeletes;
    private final long upTo;
    private final PartitionConnection over;
    private final DeletionSender sender;
    private final IntConsumer replayed;
    private final CompletableFuture<Outcome> result = new CompletableFuture<>();

    /**
     * Creates a replay that does nothing before {@link #run}.
     *
     * @param upTo the last addition to the journal that must be gone
     * @param replayed hears of each batch how many deletions were done
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

    /** Begins. The future fails with a {@link ConnectFailure} if a batch was not confirmed or the time was over. */
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

    /** Returns the failure of a connect that this is. */
    static ConnectFailure failure(String why) {
        return new ConnectFailure(
                ConnectFailure.Kind.UNREACHABLE,
                "the deletions that have to come first were not confirmed: " + why,
                null);
    }
}
