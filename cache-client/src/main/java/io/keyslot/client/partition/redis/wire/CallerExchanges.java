// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.concurrent.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * How a caller sends something and comes to its reply: it drives the event loop until that is there; or it is let in as a visitor to send,
 * or hands over what it sends, and waits outside until somebody has read the reply or it is its turn to drive. Safe for use by
 * several threads.
 */
final class CallerExchanges {
    private final DrivenEventLoop loop;

    CallerExchanges(DrivenEventLoop loop) {
        this.loop = loop;
    }

    /** As {@link CallerDriven#exchange}. */
    <R> CompletableFuture<R> exchange(Supplier<CompletableFuture<R>> send, Patience patience) {
        CompletableFuture<R> reply;
        if (loop.enter()) {
            reply = sendAndDrive(send, patience);
        } else if (loop.visit()) {
            reply = sendAsVisitor(send, true);
            follow(reply, patience);
        } else {
            reply = sendFromOutside(send);
            follow(reply, patience);
        }
        patience.await(reply);
        return reply;
    }

    /** As {@link CallerDriven#sendAhead}. */
    <R> CompletableFuture<R> sendAhead(Supplier<CompletableFuture<R>> send) {
        if (loop.isOnlyOne() && loop.enter()) {
            return sendAndComeBack(send);
        }
        return loop.visit() ? sendAsVisitor(send, false) : send.get();
    }

    private <R> CompletableFuture<R> sendAndDrive(Supplier<CompletableFuture<R>> send, Patience patience) {
        try {
            CompletableFuture<R> reply = send.get();
            loop.drive(reply, patience);
            return reply;
        } finally {
            loop.leave();
        }
    }

    private <R> CompletableFuture<R> sendAndComeBack(Supplier<CompletableFuture<R>> send) {
        try {
            CompletableFuture<R> reply = send.get();
            loop.pause();
            return reply;
        } finally {
            loop.leaveToComeBack();
        }
    }

    /**
     * Sends while the driver waits, which need not be woken up for that.
     *
     * @param follows whether this thread will {@linkplain #follow wait} for the reply
     */
    private <R> CompletableFuture<R> sendAsVisitor(Supplier<CompletableFuture<R>> send, boolean follows) {
        long timer = loop.nextTimer();
        try {
            CompletableFuture<R> reply = send.get();
            loop.runTasks();
            if (follows) {
                join(reply);
            }
            return reply;
        } finally {
            loop.endVisit(timer);
        }
    }

    private <R> CompletableFuture<R> sendFromOutside(Supplier<CompletableFuture<R>> send) {
        boolean follows = false;
        loop.arrive();
        try {
            CompletableFuture<R> reply = send.get();
            follows = join(reply);
            return reply;
        } finally {
            loop.arrived();
            if (!follows) {
                loop.passOnUnlessDriven();
            }
        }
    }

    /** Makes this thread a follower; returns whether it is one: not if the reply is there, or it may not drive. */
    private boolean join(CompletableFuture<?> reply) {
        boolean follows = reply instanceof AwaitedReply<?> && !reply.isDone() && DrivenEventLoop.mayComeIn();
        if (follows) {
            loop.followers().add((AwaitedReply<?>) reply);
        }
        return follows;
    }

    /** Waits for a reply, and drives when it is this thread's turn, if it has {@linkplain #join joined} those who do. */
    private void follow(CompletableFuture<?> reply, Patience patience) {
        if (!(reply instanceof AwaitedReply<?> awaited) || !awaited.isFollowed()) {
            return;
        }
        try {
            long left = patience.remainingNanos();
            while (left >= DrivenEventLoop.SHORTEST_WAIT_NANOS && loop.goesOn(awaited)) {
                if (loop.enter()) {
                    driveAndLeave(awaited, patience);
                } else {
                    loop.waitOutside(left);
                }
                left = patience.remainingNanos();
            }
        } finally {
            loop.followers().remove(awaited);
            loop.passOnUnlessDriven();
        }
    }

    private void driveAndLeave(AwaitedReply<?> reply, Patience patience) {
        try {
            loop.drive(reply, patience);
        } finally {
            loop.leave();
        }
    }
}
