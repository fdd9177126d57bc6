// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.concurrent.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The ways in which a caller sends, and then drives the event loop or waits for its reply. Thread-safe. */
final class CallerExchanges {
    private final DrivenEventLoop loop;

    CallerExchanges(DrivenEventLoop loop) {
        this.loop = loop;
    }

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

    /** Sends while the driver waits, without waking it up. A follower then {@linkplain #follow waits}. */
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

    /** Makes this thread a follower. Returns false if the reply has arrived already, or the thread may not drive. */
    private boolean join(CompletableFuture<?> reply) {
        boolean follows = reply instanceof AwaitedReply<?> && !reply.isDone() && DrivenEventLoop.mayComeIn();
        if (follows) {
            loop.followers().add((AwaitedReply<?>) reply);
        }
        return follows;
    }

    /** Waits for a reply, and drives if it gets the chance; only for a thread that has {@linkplain #join joined}. */
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
