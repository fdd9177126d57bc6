// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.nio.NioIoHandler;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Wraps Netty's handler for sockets: it waits once per turn, no longer than the driving thread allows.
 * During the wait, other threads may {@linkplain Seat visit} the event loop.
 *
 * <p>Netty asks its context before it waits, and again before it would wait once more. The second answer is no, because
 * the code that follows in Netty is for an event loop's own thread, and would swallow the interruption of a caller.
 *
 * <p>The driver lends its seat with the last answer before the wait. It takes the seat back at the first call after the
 * wait: for a ready socket, or the next question. In between, Netty only inspects the selector's result.
 */
final class DrivenIoHandler implements IoHandler {
    /** Netty asks twice before the first wait: to choose a strategy, and right before waiting. */
    private static final int QUESTIONS_BEFORE_WAITING = 2;

    private final DrivenEventLoop loop;
    private final Seat seat;
    private final IoHandler sockets;
    private final OneWait oneWait = new OneWait();
    private final AtomicBoolean asleep = new AtomicBoolean();

    /** Whether the driver has lent its seat. Confined to the driver. */
    private boolean isLent;

    /** Whether the selector's interests have changed since its wait began. Confined to the thread in the event loop. */
    private boolean isOutdated;

    DrivenIoHandler(DrivenEventLoop loop, Seat seat) {
        this.loop = loop;
        this.seat = seat;
        this.sockets = NioIoHandler.newFactory().newHandler(loop);
    }

    /** Serves the sockets, and waits up to this time for them, unless there are tasks. */
    void serve(long nanos) {
        asleep.set(nanos > 0);
        // Read after asleep is set, because a task added from now on wakes this thread up.
        oneWait.begin(loop.pendingTasks() == 0 ? nanos : 0);
        try {
            sockets.run(oneWait);
        } finally {
            takeBack();
            asleep.set(false);
        }
    }

    private void lend() {
        isLent = true;
        isOutdated = false;
        seat.lend();
    }

    private void takeBack() {
        if (isLent) {
            seat.takeBack(Thread.currentThread());
            isLent = false;
        }
    }

    boolean isOutdated() {
        return isOutdated;
    }

    /** Ends the driver's wait, if it waits. May be called by any thread. */
    void endWait() {
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            sockets.wakeup();
        }
    }

    @Override
    public void wakeup() {
        loop.wake();
    }

    @Override
    public int run(IoHandlerContext context) {
        return sockets.run(context);
    }

    @Override
    public void initialize() {
        sockets.initialize();
    }

    @Override
    public void prepareToDestroy() {
        sockets.prepareToDestroy();
    }

    @Override
    public void destroy() {
        sockets.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        isOutdated = true;
        return new Registration(sockets.register(new Handle((NioIoHandle) handle)));
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return sockets.isCompatible(handleType);
    }

    /** A channel that takes the seat back before it is served. */
    private final class Handle implements NioIoHandle {
        private final NioIoHandle channel;

        Handle(NioIoHandle channel) {
            this.channel = channel;
        }

        @Override
        public SelectableChannel selectableChannel() {
            return channel.selectableChannel();
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            takeBack();
            channel.handle(registration, event);
        }

        @Override
        public void registered() {
            channel.registered();
        }

        @Override
        public void unregistered() {
            channel.unregistered();
        }

        @Override
        public void close() throws Exception {
            takeBack();
            channel.close();
        }
    }

    private final class Registration implements IoRegistration {
        private final IoRegistration ofSockets;

        Registration(IoRegistration ofSockets) {
            this.ofSockets = ofSockets;
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's signature.
        public <T> T attachment() {
            return ofSockets.attachment();
        }

        @Override
        public long submit(IoOps ops) {
            isOutdated = true;
            return ofSockets.submit(ops);
        }

        @Override
        public boolean isValid() {
            return ofSockets.isValid();
        }

        @Override
        public boolean cancel() {
            isOutdated = true;
            return ofSockets.cancel();
        }
    }

    private final class OneWait implements IoHandlerContext {
        private long nanos;
        private int questions;

        void begin(long waitNanos) {
            nanos = waitNanos;
            questions = waitNanos > 0 ? 0 : QUESTIONS_BEFORE_WAITING;
        }

        @Override
        public boolean canBlock() {
            takeBack();
            boolean waits = questions++ < QUESTIONS_BEFORE_WAITING;
            if (waits && questions == QUESTIONS_BEFORE_WAITING) {
                lend();
            }
            return waits;
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return nanos;
        }

        @Override
        public long deadlineNanos() {
            return loop.ticker().nanoTime() + nanos;
        }
    }
}
