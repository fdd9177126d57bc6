// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

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
 * Netty's handler for sockets, which waits once in a turn, and no longer than the thread that drives has patience. While it waits,
 * others may {@linkplain Seat visit} the event loop.
 *
 * <p>Netty asks its context before it waits, and again before it waits once more. The second time the answer is no: what
 * follows in Netty is for the thread of an event loop, and would swallow the interruption of a caller's thread.
 *
 * <p>The driver lends its seat with the last answer before the wait, and takes it back at whatever Netty does first behind it: with a
 * socket that is ready, or with the next question. What Netty does of its own in between is to look at what the selector has found.
 */
final class DrivenIoHandler implements IoHandler {
    /** How often Netty asks before it waits for the first time: to choose what to do, and before it does it. */
    private static final int QUESTIONS_BEFORE_WAITING = 2;

    private final DrivenEventLoop loop;
    private final Seat seat;
    private final IoHandler sockets;
    private final OneWait oneWait = new OneWait();
    private final AtomicBoolean asleep = new AtomicBoolean();

    /** Whether the thread that drives has lent its seat; nobody else looks. */
    private boolean isLent;

    /** Whether what the selector waits for was changed since it began to. Belongs to who is in the event loop. */
    private boolean isOutdated;

    DrivenIoHandler(DrivenEventLoop loop, Seat seat) {
        this.loop = loop;
        this.seat = seat;
        this.sockets = NioIoHandler.newFactory().newHandler(loop);
    }

    /** Serves the sockets; waits this long for them to be ready, unless there is something else to do. */
    void serve(long nanos) {
        asleep.set(nanos > 0);
        // After that, as who adds a task from now on wakes us up.
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

    /** Returns whether a visitor has changed what the driver waits for: it has to begin anew. */
    boolean isOutdated() {
        return isOutdated;
    }

    /** Ends the wait of the thread that drives, if it waits. Any thread may call it. */
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

    /** A channel, which is served when the driver has its seat again. */
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

    /** What a channel has of the selector. */
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

    /** One wait, by the thread that drives. */
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
