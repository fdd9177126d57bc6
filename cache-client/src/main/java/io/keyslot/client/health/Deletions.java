// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends the pending deletes of a connected partition: at once, and again later if unconfirmed. The pause before a retry
 * starts at 100 ms and doubles with every failure up to 2 s; its second half is random. Thread-safe; no method throws
 * or blocks.
 */
final class Deletions {
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    interface Link {
        @Nullable
        PartitionConnection connection();

        /** Reports an unconfirmed deletion. Returns whether the connection was closed because of it. */
        boolean failed(PartitionConnection over, String why);

        void replayed(int count);
    }

    private final PendingDeletes pendingDeletes;
    private final DeletionSender sender;
    private final Timing timing;
    private final Link link;
    private final AtomicBoolean planned = new AtomicBoolean();
    private final AtomicBoolean clearing = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();

    Deletions(PendingDeletes pendingDeletes, DeletionSender sender, Timing timing, Link link) {
        this.pendingDeletes = pendingDeletes;
        this.sender = sender;
        this.timing = timing;
        this.link = link;
    }

    /** Deletes keys that were added to the pending deletes before the caller read the connection. */
    void sendAtOnce(List<EncodedKey> keys, PartitionConnection over) {
        for (List<EncodedKey> some : Slices.of(keys, PendingDeletes.MOST_KEYS_OF_A_BATCH)) {
            PendingDeletes.Keys batch = pendingDeletes.batchOf(some);
            send(batch, over, () -> pendingDeletes.confirm(batch));
        }
    }

    private void send(PendingDeletes.Batch batch, PartitionConnection over, Runnable whenDone) {
        Futures.whenOver(sender.send(batch, over), (reply, failure) -> {
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
            pendingDeletes.hasPending(batch);
        }
        // A missing partition needs no plan: the next connection starts with the pending deletes.
        if (!link.failed(over, DeletionSender.reason(reply)) && link.connection() != null) {
            tryAgainLater();
        }
    }

    void doLater() {
        tryAgainLater();
    }

    private void tryAgainLater() {
        if (planned.compareAndSet(false, true)) {
            timing.schedule(this::tryAgain, pauseNanos());
        }
    }

    private long pauseNanos() {
        int doublings = Math.min(failures.getAndIncrement(), 5);
        Duration doubled = FIRST_PAUSE.multipliedBy(1L << doublings);
        Duration half = (doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE).dividedBy(2);
        return half.toNanos() + timing.upTo(half);
    }

    private void tryAgain() {
        planned.set(false);
        sendNext(pendingDeletes.latest());
        clearNext();
    }

    /** Removes the entries of the next cache that is to be cleared, page by page, then of the one after it. */
    void clearNext() {
        PartitionConnection over = link.connection();
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
                : sender.send(pendingDeletes.batchOf(keys), over);
        Futures.whenOver(removal, (reply, failure) -> {
            if (!(reply instanceof Reply.Done)) {
                clearFailed();
            } else if (page.isLast()) {
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
        if (link.connection() != null) {
            tryAgainLater();
        }
    }

    private void sendNext(long upTo) {
        PendingDeletes.Batch batch = pendingDeletes.next().orElse(null);
        PartitionConnection over = link.connection();
        if (!(batch instanceof PendingDeletes.Keys) || over == null || pendingDeletes.isDoneUpTo(upTo)) {
            if (pendingDeletes.clears().isEmpty()) {
                failures.set(0); // a failing clear keeps its longer pauses
            }
            return;
        }
        send(batch, over, () -> {
            link.replayed(pendingDeletes.confirm(batch));
            sendNext(upTo);
        });
    }
}
