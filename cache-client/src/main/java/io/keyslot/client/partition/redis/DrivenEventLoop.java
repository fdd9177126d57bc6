// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.concurrent.Patience;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Netty event loop whose thread changes: a caller drives it while it waits for its reply ("leader and followers",
 * Schmidt and others, 2000). Its own thread, the resident, drives when many callers wait, and when none does.
 * <ul>
 *   <li>The driver is the only thread {@link #inEventLoop in the event loop}. Its writes are visible to the next
 *       driver.
 *   <li>While the driver waits for the sockets, a caller may enter as a visitor to send, and then wait outside for its
 *       reply. So no thread has to be woken up for a write.
 *   <li>A driver leaves when it has its reply. If exactly one other caller waits, that one drives. If several wait, or
 *       none although work is left, the resident is called.
 *   <li>The resident leaves when few callers have waited for a while. While callers drive, it checks once per
 *       millisecond whether they still do. This bounds the time for which an event without a waiting caller, such as a
 *       closed connection, stays unread.
 *   <li>There are at most as many followers as threads, because a follower is registered only while it waits.
 * </ul>
 */
final class DrivenEventLoop extends SingleThreadIoEventLoop implements CallerDriven {
    /** The interval at which the resident checks whether callers still drive. */
    private static final long STANDBY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The number of waiting callers up to which they drive; changing the driver costs a wake-up each time. */
    private static final int FEW = 1;

    /** The number of turns with few waiting callers after which the resident leaves. */
    private static final int QUIET_TURNS = 16;

    /** Netty rounds waits to milliseconds; a shorter one would be a busy loop. */
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1) / 2;

    private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

    private final Seat seat;

    /** The replies of the callers that wait outside of the event loop; at most one per thread. */
    private final Queue<AwaitedReply<?>> followers = new ConcurrentLinkedQueue<>();

    /** Kept because the size of the queue takes linear time. */
    private final AtomicInteger followerCount = new AtomicInteger();

    /** The callers that are sending from outside and will check afterwards whether a thread drives. */
    private final AtomicInteger arriving = new AtomicInteger();

    private final AtomicInteger expected = new AtomicInteger();

    private final AtomicInteger turns = new AtomicInteger();

    /** The reply for which the driver waits; null if it waits for none, or there is no driver. */
    private volatile @Nullable CompletableFuture<?> awaited;

    /** Null until it has started. */
    private volatile @Nullable Thread resident;

    /** Whether the resident is to drive next; no caller enters before it. */
    private volatile boolean called;

    /** A group of event loops that callers drive, over NIO. */
    static final class Group extends MultiThreadIoEventLoopGroup {
        Group(int loops, ThreadFactory residents) {
            super(loops, residents, NioIoHandler.newFactory());
        }

        @Override
        protected IoEventLoop newChild(Executor executor, IoHandlerFactory unused, Object... none) {
            return new DrivenEventLoop(this, executor);
        }
    }

    private DrivenEventLoop(IoEventLoopGroup parent, Executor executor) {
        this(parent, executor, new Seat());
    }

    private DrivenEventLoop(IoEventLoopGroup parent, Executor executor, Seat seat) {
        // Netty's own handler would let the loop end its thread while it has no channels; the resident stays.
        super(parent, executor, loop -> new DrivenIoHandler((DrivenEventLoop) loop, seat));
        this.seat = seat;
    }

    private DrivenIoHandler sockets() {
        return (DrivenIoHandler) ioHandler();
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return seat.holder.get() == thread;
    }

    boolean isVisited() {
        return seat.isVisited();
    }

    @Override
    public <R> CompletableFuture<R> exchange(Supplier<CompletableFuture<R>> send, Patience patience) {
        CompletableFuture<R> reply;
        if (enter()) {
            reply = sendAndDrive(send, patience);
        } else if (visit()) {
            reply = sendAsVisitor(send, true);
            follow(reply, patience);
        } else {
            reply = sendFromOutside(send);
            follow(reply, patience);
        }
        return reply;
    }

    @Override
    public <R> CompletableFuture<R> sendAhead(Supplier<CompletableFuture<R>> send) {
        // With several event loops, the caller's next reply may use another one.
        if (((Group) parent()).executorCount() == 1 && enter()) {
            return sendAndComeBack(send);
        }
        return visit() ? sendAsVisitor(send, false) : send.get();
    }

    private <R> CompletableFuture<R> sendAndDrive(Supplier<CompletableFuture<R>> send, Patience patience) {
        try {
            CompletableFuture<R> reply = send.get();
            drive(reply, patience);
            return reply;
        } finally {
            leave();
        }
    }

    /** Leaves without calling a new driver, unless there is work. The resident stands by. */
    private <R> CompletableFuture<R> sendAndComeBack(Supplier<CompletableFuture<R>> send) {
        try {
            CompletableFuture<R> reply = send.get();
            turns.incrementAndGet();
            runAllTasks();
            return reply;
        } finally {
            seat.free();
            if (followerCount.get() > 0 || pendingTasks() > 0) {
                passOn();
            }
        }
    }

    /** Sends while the driver waits, without waking it up. A follower then {@linkplain #follow waits}. */
    private <R> CompletableFuture<R> sendAsVisitor(Supplier<CompletableFuture<R>> send, boolean follows) {
        long timer = deadlineNanos();
        try {
            CompletableFuture<R> reply = send.get();
            runAllTasks();
            if (follows) {
                join(reply);
            }
            return reply;
        } finally {
            endVisit(timer);
        }
    }

    private <R> CompletableFuture<R> sendFromOutside(Supplier<CompletableFuture<R>> send) {
        boolean follows = false;
        arriving.incrementAndGet();
        try {
            CompletableFuture<R> reply = send.get();
            follows = join(reply);
            return reply;
        } finally {
            arriving.decrementAndGet();
            if (!follows) {
                passOnUnlessDriven();
            }
        }
    }

    /** Makes this thread a follower. Returns false if the reply has arrived already, or the thread may not drive. */
    private boolean join(CompletableFuture<?> reply) {
        if (!(reply instanceof AwaitedReply<?> awaited) || reply.isDone() || !mayComeIn()) {
            return false;
        }
        awaited.awaitedBy(Thread.currentThread());
        followers.add(awaited);
        followerCount.incrementAndGet();
        return true;
    }

    /** Waits for a reply, and drives if it gets the chance; only for a thread that has {@linkplain #join joined}. */
    private void follow(CompletableFuture<?> reply, Patience patience) {
        if (!(reply instanceof AwaitedReply<?> awaited) || !awaited.isFollowed()) {
            return;
        }
        try {
            long left = patience.deadline().remainingNanos();
            while (left >= SHORTEST_WAIT_NANOS && goesOn(awaited)) {
                if (enter()) {
                    driveAndLeave(awaited, patience);
                } else {
                    LockSupport.parkNanos(this, left);
                }
                left = patience.deadline().remainingNanos();
            }
        } finally {
            followers.remove(awaited);
            followerCount.decrementAndGet();
            awaited.awaitedBy(null);
            passOnUnlessDriven();
        }
    }

    private void driveAndLeave(AwaitedReply<?> reply, Patience patience) {
        try {
            drive(reply, patience);
        } finally {
            leave();
        }
    }

    /** Wakes up a caller whose reply has not arrived; returns false if there is none. */
    private boolean wakeOneFollower() {
        for (AwaitedReply<?> follower : followers) {
            if (!follower.isDone()) {
                follower.wake();
                return true;
            }
        }
        return false;
    }

    /** Excludes virtual threads: a wait would pin the carrier, and Netty keeps five kilobytes per thread. */
    private static boolean mayComeIn() {
        return !isVirtual(Thread.currentThread());
    }

    /** Recognizes virtual threads, also on Java versions without them. */
    static boolean isVirtual(Thread thread) {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable impossible) {
            throw new IllegalStateException("Thread.isVirtual declares no exception", impossible);
        }
    }

    private static @Nullable MethodHandle findIsVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException beforeJava21) {
            return null;
        }
    }

    /** Makes this thread the driver, if there is none. It must leave again in any case. */
    private boolean enter() {
        return resident != null
                && seat.holder.get() == null
                && !called
                && !isShuttingDown()
                && mayComeIn()
                && seat.take(Thread.currentThread());
    }

    /** Lets this thread in while the driver waits. It must call {@link #endVisit} in any case. */
    private boolean visit() {
        return mayComeIn() && seat.visit(Thread.currentThread());
    }

    /** Wakes up the driver if it has new work, or waits for something else now. */
    private void endVisit(long timerBefore) {
        CompletableFuture<?> ofDriver = awaited;
        boolean concernsDriver =
                sockets().isOutdated() || deadlineNanos() < timerBefore || (ofDriver != null && ofDriver.isDone());
        seat.endVisit();
        if (concernsDriver || pendingTasks() > 0) {
            sockets().endWait();
        }
    }

    private void passOnUnlessDriven() {
        if (seat.holder.get() == null) {
            passOn();
        }
    }

    private boolean goesOn(CompletableFuture<?> reply) {
        return !reply.isDone() && !isShuttingDown() && !Thread.currentThread().isInterrupted();
    }

    private void drive(CompletableFuture<?> reply, Patience patience) {
        turns.incrementAndGet();
        awaited = reply;
        runAllTasks();
        while (goesOn(reply)) {
            long left = patience.deadline().remainingNanos();
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
        awaited = null;
        seat.free();
        passOn();
    }

    private void passOn() {
        if (followerCount.get() > FEW) {
            callResident();
        } else if (!wakeOneFollower() && (expected.get() > 0 || pendingTasks() > 0)) {
            callResidentUnlessArriving();
        }
    }

    /** Calls the resident, unless a caller is arriving, which will find out itself that there is no driver. */
    private void callResidentUnlessArriving() {
        if (arriving.get() == 0) {
            callResident();
        }
    }

    private void callResident() {
        called = true;
        LockSupport.unpark(resident);
    }

    void wake() {
        if (seat.holder.get() == null) {
            callResidentUnlessArriving();
        } else if (!inEventLoop() && !seat.isVisited()) {
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

    /** Runs the resident. If it throws, this thread stays the driver, which shutting down requires. */
    @Override
    protected void run() {
        Thread self = Thread.currentThread();
        takeOver(self);
        ioHandler().initialize();
        resident = self;
        while (!isShuttingDown()) {
            serveUntilFewWait();
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

    private void serveUntilFewWait() {
        int quiet = 0;
        runAllTasks();
        while (quiet < QUIET_TURNS && !isShuttingDown()) {
            serve(Long.MAX_VALUE);
            int waiting = followerCount.get();
            if (waiting > FEW) {
                quiet = 0;
            } else if (waiting > 0) { // a lone caller waits at every other turn and sends in between
                quiet++;
            }
        }
    }

    private void standBy() {
        int before;
        do {
            before = turns.get();
            LockSupport.parkNanos(this, STANDBY_NANOS);
        } while (!called && !isShuttingDown() && turns.get() != before);
        called = false;
    }

    private void takeOver(Thread self) {
        while (!seat.take(self)) {
            if (isShuttingDown()) {
                sockets().endWait();
            }
            standBy();
        }
    }
}
