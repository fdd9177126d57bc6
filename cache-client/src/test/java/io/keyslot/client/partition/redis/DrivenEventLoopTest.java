// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.SystemWaiter;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Waiter;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // The tests wait for what the tasks complete.
class DrivenEventLoopTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final DrivenEventLoop.Group group =
            new DrivenEventLoop.Group(1, new DefaultThreadFactory("resident", true));
    private final DrivenEventLoop loop = (DrivenEventLoop) group.next();
    private final List<Thread> started = new CopyOnWriteArrayList<>();
    private Thread resident = Thread.currentThread();

    @BeforeEach
    void startResident() {
        CompletableFuture<Thread> runsOn = new CompletableFuture<>();
        loop.execute(() -> runsOn.complete(Thread.currentThread()));

        assertThat(runsOn).succeedsWithin(LONG);
        resident = runsOn.getNow(resident);
    }

    @AfterEach
    void end() throws InterruptedException {
        Thread.interrupted();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        assertThat(group.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        for (Thread thread : started) {
            thread.join(LONG.toMillis());
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }

    private static final Ticker TICKER = new SystemTicker();
    private static final Waiter WAITER = new SystemWaiter();

    /** Patience for a time of the clock. */
    private static Patience until(Duration time) {
        return new Patience(Deadline.after(TICKER, time), WAITER);
    }

    private Thread start(Runnable action) {
        Thread thread = new Thread(action, "caller-" + started.size());
        started.add(thread);
        thread.start();
        return thread;
    }

    private static void eventually(BooleanSupplier condition) {
        Patience until = until(LONG);
        while (!condition.getAsBoolean()) {
            assertThat(until.deadline().remainingNanos())
                    .as("what is left of the time")
                    .isPositive();
            LockSupport.parkNanos(100_000);
        }
    }

    /** Exchanges as the driver: the resident makes room once a caller has followed for a while. */
    private <R> CompletableFuture<R> drive(Supplier<CompletableFuture<R>> send, Duration patience) {
        AtomicBoolean drives = new AtomicBoolean();
        Patience until = until(LONG);
        while (until.deadline().remainingNanos() > 0) {
            CompletableFuture<R> reply = loop.exchange(
                    () -> {
                        drives.set(loop.inEventLoop() && !loop.isVisited());
                        return drives.get() ? send.get() : byTheDriver();
                    },
                    until(patience));
            if (drives.get()) {
                return reply;
            }
        }
        throw new AssertionError("the resident made no room");
    }

    /** Returns a reply for which whoever drives has to wait. */
    private <R> AwaitedReply<R> byTheDriver() {
        AwaitedReply<R> later = new AwaitedReply<>();
        IllegalStateException failure = new IllegalStateException("no value, but done");
        loop.schedule(() -> later.completeExceptionally(failure), 1, TimeUnit.MILLISECONDS);
        return later;
    }

    /** Returns a reply that comes in the turn after the next. */
    private <R> AwaitedReply<R> soon() {
        AwaitedReply<R> soon = new AwaitedReply<>();
        IllegalStateException failure = new IllegalStateException("no value, but done");
        loop.execute(() -> loop.execute(() -> soon.completeExceptionally(failure)));
        return soon;
    }

    @Test
    void noReply_followerLeavesWhenItsPatienceIsOver() {
        CompletableFuture<String> never = loop.exchange(AwaitedReply::new, until(Duration.ofMillis(20)));

        assertThat(never).isNotDone();
        assertThat(loop.inEventLoop()).isFalse();
    }

    @Test
    void sendingThrows_residentIsStillCalledForWhatOthersDo() {
        drive(() -> CompletableFuture.completedFuture("there"), LONG);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> loop.exchange(
                            () -> {
                                throw new IllegalStateException("broken");
                            },
                            until(LONG)))
                    .hasMessage("broken");
        }
        CompletableFuture<String> task = new CompletableFuture<>();

        loop.execute(() -> task.complete("run"));

        assertThat(task).succeedsWithin(LONG);
    }

    @Test
    void driverInterruptedWhileItWaitsForSockets_leavesAndStaysInterrupted() {
        Thread driver = Thread.currentThread();

        drive(
                () -> {
                    start(() -> {
                        eventually(() -> isSelecting(driver));
                        driver.interrupt();
                    });
                    return new AwaitedReply<>();
                },
                LONG);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(loop.inEventLoop()).isFalse();
    }

    /** Returns whether a thread drives: it is in the event loop, or waits for the sockets. */
    private boolean drives(Thread thread) {
        return loop.inEventLoop(thread) || isSelecting(thread);
    }

    private static boolean isSelecting(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        // A thread that is parked is in a native method too.
        return stack.length > 0
                && stack[0].isNativeMethod()
                && stack[0].getClassName().startsWith("sun.nio.ch.");
    }

    @Test
    void sentAheadWhileOthersFollow_oneOfThemDrives() {
        AwaitedReply<Thread> ahead = new AwaitedReply<>();
        AwaitedReply<String> ofFollower = new AwaitedReply<>();
        Thread follower = start(() -> loop.exchange(() -> ofFollower, until(LONG)));
        eventually(() -> drives(follower) || follower.getState() == Thread.State.TIMED_WAITING);

        loop.sendAhead(() -> {
            loop.schedule(() -> ahead.complete(Thread.currentThread()), 1, TimeUnit.MILLISECONDS);
            return ahead;
        });

        assertThat(ahead).succeedsWithin(LONG).isNotEqualTo(Thread.currentThread());
        loop.execute(() -> ofFollower.complete("done"));
        assertThat(ofFollower).succeedsWithin(LONG);
    }

    @Test
    void sendingAheadThrows_nobodyIsLeftInTheEventLoop() {
        drive(() -> CompletableFuture.completedFuture("there"), LONG);

        assertThatThrownBy(() -> loop.sendAhead(() -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");

        assertThat(loop.inEventLoop()).isFalse();
        assertThat(drive(() -> CompletableFuture.completedFuture("next"), LONG)).isCompletedWithValue("next");
    }

    @Test
    void driverHasLeftAndManyFollow_residentDrives() {
        AwaitedReply<String> first = new AwaitedReply<>();
        List<AwaitedReply<String>> others = List.of(new AwaitedReply<>(), new AwaitedReply<>(), new AwaitedReply<>());

        drive(
                () -> {
                    List<Thread> followers = others.stream()
                            .map(reply -> start(() -> loop.exchange(() -> reply, until(LONG))))
                            .toList();
                    start(() -> {
                        eventually(() -> followers.stream()
                                .allMatch(follower -> follower.getState() == Thread.State.TIMED_WAITING));
                        loop.execute(() -> first.complete("done"));
                    });
                    return first;
                },
                LONG);

        eventually(() -> drives(resident));
        others.forEach(reply -> loop.execute(() -> reply.complete("done")));
        others.forEach(reply -> assertThat(reply).succeedsWithin(LONG));
    }

    @Test
    void manyCallers_allGetTheirReplies() {
        int callers = 8;
        int calls = 2_000;
        AtomicInteger answered = new AtomicInteger();
        for (int i = 0; i < callers; i++) {
            start(() -> {
                for (int call = 0; call < calls; call++) {
                    CompletableFuture<String> reply = loop.exchange(this::soon, until(LONG));
                    answered.addAndGet(reply.isDone() ? 1 : 0);
                }
            });
        }

        eventually(() -> started.stream().noneMatch(Thread::isAlive));
        assertThat(answered).hasValue(callers * calls);
    }

    @Test
    void shutdown_endsTheDrive() {
        drive(
                () -> {
                    start(() -> group.shutdownGracefully(0, 1, TimeUnit.SECONDS));
                    return new AwaitedReply<>();
                },
                Duration.ofMillis(500));

        assertThat(loop.inEventLoop()).isFalse();
        eventually(loop::isTerminated);
        assertThat(loop.exchange(AwaitedReply::new, until(Duration.ofMillis(1))))
                .isNotDone();
    }

    /** Exchanges as a visitor of the resident, which waits for sockets that are never ready. */
    private <R> CompletableFuture<R> visit(Supplier<CompletableFuture<R>> send, Duration patience) {
        AtomicBoolean visits = new AtomicBoolean();
        Patience until = until(LONG);
        while (until.deadline().remainingNanos() > 0) {
            eventually(() -> drives(resident));
            CompletableFuture<R> reply = loop.exchange(
                    () -> {
                        visits.set(loop.isVisited() && isSelecting(resident));
                        return visits.get() ? send.get() : soon();
                    },
                    until(patience));
            if (visits.get()) {
                return reply;
            }
        }
        throw new AssertionError("the resident never waited");
    }

    @Test
    void driverWaits_callerSendsInTheEventLoop() {
        AwaitedReply<Thread> ranOn = new AwaitedReply<>();
        AtomicBoolean inEventLoop = new AtomicBoolean();

        visit(
                () -> {
                    inEventLoop.set(loop.inEventLoop() && !loop.inEventLoop(resident));
                    loop.execute(() -> ranOn.complete(Thread.currentThread()));
                    return ranOn;
                },
                LONG);

        assertThat(ranOn).isCompletedWithValue(Thread.currentThread());
        assertThat(inEventLoop).isTrue();
        assertThat(loop.inEventLoop()).isFalse();
    }

    @Test
    void driverWaits_itWakesUpForTheTimerOfAVisitor() {
        AwaitedReply<Thread> ranOn = new AwaitedReply<>();

        visit(
                () -> {
                    loop.schedule(() -> ranOn.complete(Thread.currentThread()), 5, TimeUnit.MILLISECONDS);
                    return ranOn;
                },
                Duration.ofMillis(500)); // the resident would wait for a second

        assertThat(ranOn).isCompletedWithValue(resident);
    }

    @Test
    void visitorCompletesTheReplyOfTheDriver_whichLeaves() {
        AwaitedReply<String> ofDriver = new AwaitedReply<>();
        Thread driver = Thread.currentThread();
        AtomicBoolean visited = new AtomicBoolean();

        drive(
                () -> {
                    start(() -> {
                        eventually(() -> isSelecting(driver));
                        loop.exchange(
                                () -> {
                                    visited.set(loop.isVisited());
                                    loop.execute(() -> ofDriver.complete("done"));
                                    return CompletableFuture.completedFuture("sent");
                                },
                                until(LONG));
                    });
                    return ofDriver;
                },
                LONG);

        assertThat(ofDriver).isCompletedWithValue("done");
        assertThat(visited).isTrue();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThread_neverComesIn() throws ReflectiveOperationException {
        CompletableFuture<Boolean> everWrong = new CompletableFuture<>();
        Runnable calls = () -> {
            boolean wrong = false;
            for (int i = 0; i < 100; i++) {
                AtomicBoolean drives = new AtomicBoolean();
                CompletableFuture<String> reply = loop.exchange(
                        () -> {
                            drives.set(loop.inEventLoop());
                            return soon();
                        },
                        until(LONG));
                until(LONG).await(reply); // outside of the event loop
                wrong |= drives.get() || !reply.isDone();
            }
            everWrong.complete(wrong);
        };

        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, calls);

        assertThat(everWrong).succeedsWithin(LONG).isEqualTo(false);
    }
}
