// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.concurrent.Patience;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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
    static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1) / 2;

    private final Seat seat;
    private final Followers followers = new Followers();
    private final CallerExchanges exchanges = new CallerExchanges(this);

    /** The callers that are sending and will check afterwards whether a thread drives. */
    private final AtomicInteger arriving = new AtomicInteger();

    private final AtomicInteger expected = new AtomicInteger();

    private final AtomicInteger turns = new AtomicInteger();

    /** The reply for which the driver waits; null if it waits for none, or there is no driver. */
    private volatile @Nullable CompletableFuture<?> awaited;

    /** Null until it has started. */
    private volatile @Nullable Thread resident;

    /** Whether the resident is to drive next; no caller enters before it. */
    private volatile boolean called;

    DrivenEventLoop(IoEventLoopGroup parent, Executor executor) {
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
        return seat.isOf(thread);
    }

    boolean isVisited() {
        return seat.isVisited();
    }

    Followers followers() {
        return followers;
    }

    @Override
    public <R> CompletableFuture<R> exchange(Supplier<CompletableFuture<R>> send, Patience patience) {
        return exchanges.exchange(send, patience);
    }

    @Override
    public <R> CompletableFuture<R> sendAhead(Supplier<CompletableFuture<R>> send) {
        return exchanges.sendAhead(send);
    }

    /** Excludes virtual threads: a wait would pin the carrier, and Netty keeps five kilobytes per thread. */
    static boolean mayComeIn() {
        return !VirtualThreads.isVirtual(Thread.currentThread());
    }

    /** Makes this thread the driver, if there is none. It must leave again in any case. */
    boolean enter() {
        return resident != null
                && seat.isFree()
                && !called
                && !isShuttingDown()
                && mayComeIn()
                && seat.take(Thread.currentThread());
    }

    /** Lets this thread in while the driver waits. It must call {@link #endVisit} in any case. */
    boolean visit() {
        return seat.isLent() && mayComeIn() && seat.visit(Thread.currentThread());
    }

    /** Returns whether this is the only event loop; otherwise a caller's next reply may use another one. */
    boolean isOnlyOne() {
        return ((DrivenEventLoopGroup) parent()).executorCount() == 1;
    }

    /** Runs the pending tasks before this thread {@linkplain #leaveToComeBack leaves to come back}. */
    void pause() {
        turns.incrementAndGet();
        runAllTasks();
    }

    /** Leaves without calling a new driver, unless there is work. The resident stands by. */
    void leaveToComeBack() {
        seat.free();
        if (followers.count() > 0 || pendingTasks() > 0) {
            passOn();
        }
    }

    void runTasks() {
        runAllTasks();
    }

    long nextTimer() {
        return deadlineNanos();
    }

    /** Wakes up the driver if it has new work, or waits for something else now. */
    void endVisit(long timerBefore) {
        CompletableFuture<?> ofDriver = awaited;
        boolean concernsDriver =
                sockets().isOutdated() || deadlineNanos() < timerBefore || (ofDriver != null && ofDriver.isDone());
        seat.endVisit();
        if (concernsDriver || pendingTasks() > 0) {
            sockets().endWait();
        }
    }

    /** Counts a caller that sends from outside and will check afterwards whether a thread drives. */
    void arrive() {
        arriving.incrementAndGet();
    }

    void arrived() {
        arriving.decrementAndGet();
    }

    void passOnUnlessDriven() {
        if (seat.isFree()) {
            passOn();
        }
    }

    void waitOutside(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    boolean goesOn(CompletableFuture<?> reply) {
        return !reply.isDone() && !isShuttingDown() && !Thread.currentThread().isInterrupted();
    }

    void drive(CompletableFuture<?> reply, Patience patience) {
        turns.incrementAndGet();
        awaited = reply;
        runAllTasks();
        while (goesOn(reply)) {
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

    void leave() {
        awaited = null;
        seat.free();
        passOn();
    }

    private void passOn() {
        if (followers.count() > FEW) {
            callResident();
        } else if (!followers.wakeOne() && (expected.get() > 0 || pendingTasks() > 0)) {
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
        if (seat.isFree()) {
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
            int waiting = followers.count();
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
