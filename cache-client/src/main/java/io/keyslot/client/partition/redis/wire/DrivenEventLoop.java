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
 * An event loop of Netty whose thread changes: who waits for a reply drives it ("leader and followers", D. C. Schmidt and
 * others, 2000). Its own thread, the resident, drives when many callers wait, and when none does.
 *
 * <ul>
 *   <li>The driver is the one thread that is {@link #inEventLoop in the event loop}. What it did is seen by the next one.
 *   <li>While the driver waits for the sockets, a caller comes in for what it sends, as a visitor, and waits outside for its reply: nobody has
 *       to be woken up to write.
 *   <li>A driver leaves when it has its reply. If one other caller waits, it drives then. If there are more, or none while
 *       something is left to do, the resident is called.
 *   <li>The resident leaves when few callers have waited for a while. While they drive, it looks once in a millisecond
 *       whether they still do. So that is how long something that nobody waits for may stay unread at most: that a
 *       connection was closed, for example.
 *   <li>A follower is known as long as it waits: there are no more of them than threads.
 * </ul>
 */
final class DrivenEventLoop extends SingleThreadIoEventLoop implements CallerDriven {
    /** How long the resident waits before it looks whether others still drive. */
    private static final long STANDBY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** As long as more callers wait, one thread for all of them is better: each change of the driver wakes up a thread. */
    private static final int FEW = 1;

    /** For how many turns few callers must have waited before the resident lets them drive. */
    private static final int QUIET_TURNS = 16;

    /** A shorter wait is none for Netty, which rounds to milliseconds: it would be a loop that does not wait. */
    static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1) / 2;

    private final Seat seat;
    private final Followers followers = new Followers();
    private final CallerExchanges exchanges = new CallerExchanges(this);

    /** The callers that send and will look then whether somebody drives. */
    private final AtomicInteger arriving = new AtomicInteger();

    /** The answers that are owed, whoever waits for them. */
    private final AtomicInteger expected = new AtomicInteger();

    /** How often callers have begun to drive. */
    private final AtomicInteger turns = new AtomicInteger();

    /** What the driver waits for; null if that is nothing of its own, or nobody drives. */
    private volatile @Nullable CompletableFuture<?> awaited;

    /** Null until it has begun. */
    private volatile @Nullable Thread resident;

    /** Whether the resident is to drive next: no caller enters before it has come. */
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

    /** Returns whether who is in the event loop does not drive it. */
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

    /**
     * A virtual thread may not: a wait for sockets would hold what carries it, and what Netty keeps for each thread that writes, some
     * five kilobytes, is too much for threads of which there are a hundred thousand.
     */
    static boolean mayComeIn() {
        return !VirtualThreads.isVirtual(Thread.currentThread());
    }

    /** Makes this thread the one that drives, if there is no other. It must leave again, whatever happens. */
    boolean enter() {
        return resident != null
                && seat.isFree()
                && !called
                && !isShuttingDown()
                && mayComeIn()
                && seat.take(Thread.currentThread());
    }

    /** Lets this thread in while the driver waits. It must leave again, whatever happens. */
    boolean visit() {
        return seat.isLent() && mayComeIn() && seat.visit(Thread.currentThread());
    }

    /** Returns whether all connections are of this event loop. With several, what a caller waits for may be of another one. */
    boolean isOnlyOne() {
        return ((DrivenEventLoopGroup) parent()).executorCount() == 1;
    }

    /** Does what there is to do before this thread {@linkplain #leaveToComeBack leaves to come back}. */
    void pause() {
        turns.incrementAndGet();
        runAllTasks();
    }

    /** Nobody is called who would drive meanwhile, unless somebody waits. The resident stands by. */
    void leaveToComeBack() {
        seat.free();
        if (followers.count() > 0 || pendingTasks() > 0) {
            passOn();
        }
    }

    /** Does what others have handed over. */
    void runTasks() {
        runAllTasks();
    }

    /** Returns when the driver has to do something by the clock. */
    long nextTimer() {
        return deadlineNanos();
    }

    /** Wakes up the driver if it has something else to do now, or to wait for. */
    void endVisit(long timerBefore) {
        CompletableFuture<?> ofDriver = awaited;
        boolean concernsDriver =
                sockets().isOutdated() || deadlineNanos() < timerBefore || (ofDriver != null && ofDriver.isDone());
        seat.endVisit();
        if (concernsDriver || pendingTasks() > 0) {
            sockets().endWait();
        }
    }

    /** A caller sends from outside, and will look then whether somebody drives. */
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

    /** Waits until this thread is woken up: as its reply is there, or for its turn to drive. */
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

    /** Not if a caller is about to come: it finds out by itself that nobody drives. */
    private void callResidentUnlessArriving() {
        if (arriving.get() == 0) {
            callResident();
        }
    }

    private void callResident() {
        called = true;
        LockSupport.unpark(resident);
    }

    /** Makes sure that somebody looks at the tasks. */
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

    /** What the resident does. If it throws, this thread stays the driver, as its end needs one. */
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
            } else if (waiting > 0) { // a lone caller waits at every other turn: between them it sends
                quiet++;
            }
        }
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
        while (!seat.take(self)) {
            if (isShuttingDown()) {
                sockets().endWait();
            }
            standBy();
        }
    }
}
