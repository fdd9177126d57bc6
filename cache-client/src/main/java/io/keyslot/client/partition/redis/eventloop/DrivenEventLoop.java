// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.eventloop;

import io.keyslot.client.partition.Patience;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An event loop of Netty whose thread changes: who waits for a reply drives it ("leader and followers", D. C. Schmidt and
 * others, 2000). Its own thread, the resident, drives when nobody else does.
 *
 * <ul>
 *   <li>The driver is the one thread that is {@link #inEventLoop in the event loop}. What it did is seen by the next one.
 *   <li>A driver leaves when it has its reply. It wakes up a follower whose reply is not there yet. If there is none, and
 *       something is left to do, it calls the resident.
 *   <li>While callers drive, the resident looks once in a millisecond whether they still do. So that is how long
 *       something that nobody waits for may stay unread at most, a connection that was closed for example.
 *   <li>A follower is known as long as it waits: there are no more of them than threads.
 * </ul>
 */
final class DrivenEventLoop extends SingleThreadIoEventLoop implements CallerDriven {
    /** How long the resident waits before it looks whether others still drive. */
    private static final long STANDBY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A shorter wait is none for Netty, which rounds to milliseconds: it would be a loop that does not wait. */
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1) / 2;

    private final AtomicReference<@Nullable Thread> driver = new AtomicReference<>();
    private final Queue<AwaitedReply<?>> followers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger expected = new AtomicInteger();
    private volatile @Nullable Thread resident;
    /** How often callers have begun to drive. */
    private final AtomicInteger turns = new AtomicInteger();

    private volatile boolean called;

    DrivenEventLoop(IoEventLoopGroup parent, Executor executor) {
        super(parent, executor, new Factory());
    }

    /** Netty's handler would let the loop end its thread while it has no channels; the resident stays. */
    private static final class Factory implements IoHandlerFactory {
        @Override
        public DrivenIoHandler newHandler(ThreadAwareExecutor loop) {
            return new DrivenIoHandler((DrivenEventLoop) loop);
        }
    }

    private DrivenIoHandler sockets() {
        return (DrivenIoHandler) ioHandler();
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return thread == driver.get();
    }

    @Override
    public boolean enter() {
        return resident != null
                && driver.get() == null
                && !isShuttingDown()
                && !VirtualThreads.isVirtual(Thread.currentThread())
                && driver.compareAndSet(null, Thread.currentThread());
    }

    @Override
    public void driveAndLeave(CompletableFuture<?> reply, Patience patience) {
        try {
            drive(reply, patience);
        } finally {
            leave();
        }
        patience.await(reply);
    }

    @Override
    public void follow(CompletableFuture<?> reply, Patience patience) {
        if (reply instanceof AwaitedReply<?> awaited
                && !awaited.isDone()
                && !VirtualThreads.isVirtual(Thread.currentThread())) {
            awaited.awaitedBy(Thread.currentThread());
            followers.add(awaited);
            try {
                followUntilDone(awaited, patience);
            } finally {
                followers.remove(awaited);
                awaited.awaitedBy(null);
                if (driver.get() == null) {
                    passOn();
                }
            }
        }
        patience.await(reply);
    }

    private void followUntilDone(AwaitedReply<?> awaited, Patience patience) {
        while (!awaited.isDone() && !isShuttingDown() && !Thread.currentThread().isInterrupted()) {
            long left = patience.remainingNanos();
            if (left <= 0) {
                return;
            }
            if (enter()) {
                try {
                    drive(awaited, patience);
                } finally {
                    leave();
                }
                return;
            }
            LockSupport.parkNanos(left);
        }
    }

    private void drive(CompletableFuture<?> reply, Patience patience) {
        turns.incrementAndGet();
        runAllTasks();
        while (!reply.isDone() && !isShuttingDown() && !Thread.currentThread().isInterrupted()) {
            long left = patience.remainingNanos();
            if (left < SHORTEST_WAIT_NANOS) {
                return;
            }
            serve(left);
        }
    }

    private void serve(long atMostNanos) {
        sockets().serve(Math.min(atMostNanos, deadlineNanos() - ticker().nanoTime()));
        runAllTasks();
    }

    private void leave() {
        driver.set(null);
        passOn();
    }

    private void passOn() {
        for (AwaitedReply<?> follower : followers) {
            if (!follower.isDone()) {
                follower.wake();
                return;
            }
        }
        if (expected.get() > 0 || pendingTasks() > 0) {
            callResident();
        }
    }

    private void callResident() {
        called = true;
        LockSupport.unpark(resident);
    }

    /** Makes sure that somebody looks at the tasks. */
    void wake() {
        Thread driving = driver.get();
        if (driving == null) {
            callResident();
        } else if (driving != Thread.currentThread()) {
            sockets().endWait();
        }
    }

    @Override
    public void expect() {
        expected.incrementAndGet();
    }

    @Override
    public void received() {
        expected.decrementAndGet();
    }

    /** What the resident does. */
    @Override
    protected void run() {
        Thread self = Thread.currentThread();
        takeOver(self);
        ioHandler().initialize();
        resident = self;
        while (!isShuttingDown()) {
            // If it throws, this thread stays the driver, as its end needs one.
            do {
                runAllTasks();
                serve(Long.MAX_VALUE);
            } while (followers.isEmpty() && !isShuttingDown());
            leave();
            standBy();
            takeOver(self);
        }
        do {
            serve(0);
            ioHandler().prepareToDestroy();
            runAllTasks();
        } while (!confirmShutdown());
    }

    /** Waits until callers have stopped driving, or one of them calls. */
    private void standBy() {
        int before;
        do {
            before = turns.get();
            LockSupport.parkNanos(this, STANDBY_NANOS);
        } while (!called && !isShuttingDown() && turns.get() != before);
        called = false;
    }

    private void takeOver(Thread self) {
        while (!driver.compareAndSet(null, self)) {
            if (isShuttingDown()) {
                sockets().endWait();
            }
            standBy();
        }
    }
}
