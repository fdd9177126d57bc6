// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.eventloop;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Patience;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Timeout(30)
@SuppressWarnings("FutureReturnValueIgnored") // The tests wait for what the tasks complete.
class DrivenEventLoopTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final DrivenEventLoopGroup group = new DrivenEventLoopGroup(1, new DefaultThreadFactory("resident", true));
    private final DrivenEventLoop loop = (DrivenEventLoop) group.next();
    private final List<Thread> started = new ArrayList<>();

    @BeforeEach
    void startResident() {
        CompletableFuture<Thread> resident = new CompletableFuture<>();
        loop.execute(() -> resident.complete(Thread.currentThread()));

        assertThat(resident).succeedsWithin(LONG);
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

    /** Patience for a time of the clock. */
    private static final class Until implements Patience {
        private final long end;

        Until(Duration time) {
            end = System.nanoTime() + time.toNanos();
        }

        @Override
        public long remainingNanos() {
            return end - System.nanoTime();
        }

        @Override
        public void await(CompletableFuture<?> reply) {
            try {
                reply.get(Math.max(remainingNanos(), 0), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException | ExecutionException over) {
                // The test looks at the reply.
            }
        }
    }

    private Thread start(Runnable action) {
        Thread thread = new Thread(action, "caller-" + started.size());
        started.add(thread);
        thread.start();
        return thread;
    }

    private static void eventually(BooleanSupplier condition) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("the time by which it had to be so")
                    .isLessThan(end);
            LockSupport.parkNanos(100_000);
        }
    }

    /** Enters, which the resident makes possible a moment after a caller has followed. */
    private void enter() {
        eventually(() -> {
            if (loop.enter()) {
                return true;
            }
            AwaitedReply<String> soon = new AwaitedReply<>();
            loop.execute(() -> soon.complete("done"));
            loop.follow(soon, new Until(LONG));
            return false;
        });
    }

    @Test
    void threadThatEntered_isTheOnlyOneInTheEventLoop() {
        enter();

        assertThat(loop.inEventLoop()).isTrue();
        CompletableFuture<Boolean> other = new CompletableFuture<>();
        start(() -> other.complete(loop.inEventLoop() || loop.enter()));
        assertThat(other).succeedsWithin(LONG).isEqualTo(false);
        loop.driveAndLeave(CompletableFuture.completedFuture("there"), new Until(LONG));
        assertThat(loop.inEventLoop()).isFalse();
    }

    @Test
    void tasksOfOtherThreads_runOnTheThreadThatDrives() {
        enter();
        AwaitedReply<Thread> ranOn = new AwaitedReply<>();
        start(() -> loop.execute(() -> ranOn.complete(Thread.currentThread())));

        loop.driveAndLeave(ranOn, new Until(LONG));

        assertThat(ranOn).isCompletedWithValue(Thread.currentThread());
    }

    @Test
    void timers_runWhileACallerDrives() {
        enter();
        AwaitedReply<Thread> ranOn = new AwaitedReply<>();
        loop.schedule(() -> ranOn.complete(Thread.currentThread()), 5, TimeUnit.MILLISECONDS);

        loop.driveAndLeave(ranOn, new Until(LONG));

        assertThat(ranOn).isCompletedWithValue(Thread.currentThread());
    }

    @Test
    void noReply_driverLeavesWhenItsPatienceIsOver() {
        enter();

        loop.driveAndLeave(new AwaitedReply<>(), new Until(Duration.ofMillis(20)));

        assertThat(loop.inEventLoop()).isFalse();
    }

    @Test
    void noReply_followerLeavesWhenItsPatienceIsOver() {
        loop.follow(new AwaitedReply<>(), new Until(Duration.ofMillis(20)));

        assertThat(loop.inEventLoop()).isFalse();
    }

    @Test
    void interruptedDriver_leavesAndStaysInterrupted() {
        enter();
        Thread driver = Thread.currentThread();
        loop.execute(driver::interrupt);

        loop.driveAndLeave(new AwaitedReply<>(), new Until(LONG));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(loop.inEventLoop()).isFalse();
    }

    @Test
    void driverInterruptedWhileItWaitsForSockets_leavesAndStaysInterrupted() {
        enter();
        Thread driver = Thread.currentThread();
        start(() -> {
            eventually(() -> driver.getState() == Thread.State.RUNNABLE && isSelecting(driver));
            driver.interrupt();
        });

        loop.driveAndLeave(new AwaitedReply<>(), new Until(LONG));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(loop.inEventLoop()).isFalse();
    }

    private static boolean isSelecting(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0 && stack[0].isNativeMethod();
    }

    @Test
    void interruptedFollower_leavesAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        loop.follow(new AwaitedReply<>(), new Until(LONG));

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void driverHasLeft_followerDrives() {
        enter();
        AwaitedReply<String> first = new AwaitedReply<>();
        AwaitedReply<Thread> second = new AwaitedReply<>();
        Thread follower = start(() -> loop.follow(second, new Until(LONG)));
        start(() -> {
            eventually(() -> follower.getState() == Thread.State.TIMED_WAITING);
            loop.execute(() -> first.complete("done"));
        });
        loop.driveAndLeave(first, new Until(LONG));

        eventually(() -> loop.inEventLoop(follower));
        loop.execute(() -> second.complete(Thread.currentThread()));

        assertThat(second).succeedsWithin(LONG).isEqualTo(follower);
    }

    @Test
    void driverHasLeftAndNobodyFollows_residentRunsWhatIsLeft() {
        enter();
        AwaitedReply<String> mine = new AwaitedReply<>();
        CompletableFuture<Thread> later = new CompletableFuture<>();
        loop.schedule(() -> later.complete(Thread.currentThread()), 20, TimeUnit.MILLISECONDS);
        mine.complete("done");

        loop.driveAndLeave(mine, new Until(LONG));

        assertThat(later).succeedsWithin(LONG).isNotEqualTo(Thread.currentThread());
    }

    @Test
    void answerIsOwedAndNobodyFollows_residentIsCalled() {
        enter();
        loop.expect();
        loop.driveAndLeave(CompletableFuture.completedFuture("there"), new Until(LONG));

        eventually(() -> !loop.enter() || leaveAtOnce());
        loop.received();
    }

    private boolean leaveAtOnce() {
        loop.driveAndLeave(CompletableFuture.completedFuture("there"), new Until(LONG));
        return false;
    }

    @Test
    void manyCallers_allGetTheirReplies() {
        int callers = 8;
        int calls = 2_000;
        AtomicInteger answered = new AtomicInteger();
        for (int i = 0; i < callers; i++) {
            start(() -> {
                for (int call = 0; call < calls; call++) {
                    boolean entered = loop.enter();
                    AwaitedReply<String> reply = new AwaitedReply<>();
                    // Two tasks, as an answer comes in another turn than the one that sends.
                    loop.execute(() -> loop.execute(() -> reply.complete("done")));
                    if (entered) {
                        loop.driveAndLeave(reply, new Until(LONG));
                    } else {
                        loop.follow(reply, new Until(LONG));
                    }
                    answered.addAndGet(reply.isDone() ? 1 : 0);
                }
            });
        }

        eventually(() -> started.stream().noneMatch(Thread::isAlive));
        assertThat(answered).hasValue(callers * calls);
    }

    @Test
    void shutdown_endsTheDrive() {
        enter();
        start(() -> {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        });

        loop.driveAndLeave(new AwaitedReply<>(), new Until(Duration.ofMillis(500)));

        assertThat(loop.inEventLoop()).isFalse();
        eventually(loop::isTerminated);
        assertThat(loop.enter()).isFalse();
    }

    @Test
    void reply_completedWithAFailure_endsTheWait() {
        AwaitedReply<String> failing = new AwaitedReply<>();
        loop.schedule(
                () -> failing.completeExceptionally(new IllegalStateException("broken")), 5, TimeUnit.MILLISECONDS);

        loop.follow(failing, new Until(LONG));

        assertThat(failing).isCompletedExceptionally();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThread_neverDrives() throws ReflectiveOperationException {
        CompletableFuture<Boolean> entered = new CompletableFuture<>();
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) () -> {
            boolean ever = false;
            for (int i = 0; i < 100; i++) {
                ever |= loop.enter();
                AwaitedReply<String> soon = new AwaitedReply<>();
                loop.execute(() -> soon.complete("done"));
                loop.follow(soon, new Until(LONG));
                ever |= !soon.isDone();
            }
            entered.complete(ever);
        });

        assertThat(entered).succeedsWithin(LONG).isEqualTo(false);
    }
}
