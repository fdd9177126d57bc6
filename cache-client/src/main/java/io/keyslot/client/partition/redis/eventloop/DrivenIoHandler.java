// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.eventloop;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Netty's handler for sockets, which waits once in a turn, and no longer than the thread that drives has patience.
 *
 * <p>Netty asks its context before it waits, and again before it waits once more. The second time the answer is no: what
 * follows in Netty is for the thread of an event loop, and would swallow the interruption of a caller's thread.
 */
final class DrivenIoHandler implements IoHandler {
    /** How often Netty asks before it waits for the first time: to choose what to do, and before it does it. */
    private static final int QUESTIONS_BEFORE_WAITING = 2;

    private final DrivenEventLoop loop;
    private final IoHandler sockets;
    private final OneWait oneWait = new OneWait();
    private final AtomicBoolean asleep = new AtomicBoolean();

    DrivenIoHandler(DrivenEventLoop loop) {
        this.loop = loop;
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
            asleep.set(false);
        }
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
        return sockets.register(handle);
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return sockets.isCompatible(handleType);
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
            return questions++ < QUESTIONS_BEFORE_WAITING;
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
