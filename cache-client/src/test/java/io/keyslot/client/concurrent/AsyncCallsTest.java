// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AsyncCallsTest {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final ManualTicker ticker = new ManualTicker();
    private final ManualScheduler scheduler = new ManualScheduler(ticker);
    private final QueueingPool pool = new QueueingPool();
    private final QueueingPool tellers = new QueueingPool();
    private final AsyncCalls calls = new AsyncCalls(
            new WorkPool(
                    pool, tellers, new Timing(ticker, scheduler, new Random(0)), LONGEST_WAIT, WorkPool.MOST_AHEAD),
            CallerContext.NONE);

    @Test
    void operationThatGetsNoThread_failsInTimeAndIsNeverStarted() {
        List<String> started = new ArrayList<>();
        CompletableFuture<Boolean> stage =
                calls.call(() -> started.add("operation")).toCompletableFuture();

        scheduler.advance(LONGEST_WAIT.minusNanos(1));
        assertThat(tellers.waiting()).isZero();
        scheduler.advance(Duration.ofNanos(1));
        tellers.runAll();

        assertThat(stage.handle((result, thrown) -> String.valueOf(thrown)))
                .isCompletedWithValue(CacheOverloadedException.class.getName()
                        + ": No thread for asynchronous operations was free for PT10S: the operation was not started;"
                        + " raise async.threads, or look for continuations that wait");
        pool.runAll();
        assertThat(started).isEmpty();
    }

    @Test
    void cancelledOperation_isNotStarted() {
        List<String> started = new ArrayList<>();

        calls.call(() -> started.add("operation")).toCompletableFuture().cancel(true);
        pool.runAll();

        assertThat(started).isEmpty();
    }

    @Test
    void callFromAContinuation_isDoneBeforeItReturns() {
        CompletableFuture<String> chain = calls.call(() -> "first")
                .thenApply(first -> first
                        + calls.call(() -> " second").toCompletableFuture().join())
                .toCompletableFuture();

        pool.runAll();

        assertThat(chain).isCompletedWithValue("first second");
    }

    @Test
    void callFromTheContinuationOfALateOne_isDoneBeforeItReturns() {
        CompletableFuture<String> chain = calls.call(() -> "first")
                .handle((first, thrown) ->
                        calls.call(() -> "second").toCompletableFuture().join())
                .toCompletableFuture();

        scheduler.advance(LONGEST_WAIT);
        tellers.runAll();

        assertThat(chain).isCompletedWithValue("second");
    }

    @Test
    void longChainOfContinuations_doesNotTakeTheStack() {
        CompletableFuture<Integer> chain = countTo(10_000, 0).toCompletableFuture();

        pool.runAll();

        assertThat(chain).isCompletedWithValue(10_000);
    }

    private CompletionStage<Integer> countTo(int end, int from) {
        return calls.call(() -> from + 1)
                .thenCompose(next -> next == end ? CompletableFuture.completedFuture(next) : countTo(end, next));
    }

    @Test
    void callSentAhead_takesAThreadWhenTheReplyIsThere() {
        CompletableFuture<String> reply = new CompletableFuture<>();
        CompletableFuture<String> stage = ahead(reply, false).toCompletableFuture();
        scheduler.advance(LONGEST_WAIT.multipliedBy(2));
        assertThat(pool.waiting()).isZero();

        reply.complete("reply");
        assertThat(stage).isNotDone();
        pool.runAll();

        assertThat(stage).isCompletedWithValue("reply");
    }

    @Test
    void callSentAhead_thatGetsNoThread_isDoneByATeller() {
        CompletableFuture<String> stage =
                ahead(CompletableFuture.completedFuture("reply"), false).toCompletableFuture();

        scheduler.advance(LONGEST_WAIT);
        tellers.runAll();
        pool.runAll();

        assertThat(stage).isCompletedWithValue("reply");
    }

    @Test
    void cancelledCallSentAhead_isFinishedIfItIsAChange() {
        List<String> finished = new ArrayList<>();
        for (boolean isChange : new boolean[] {false, true}) {
            CompletableFuture<String> reply = new CompletableFuture<>();
            calls.callAhead(
                            1,
                            () -> new AsyncCalls.OneCommand<>(() -> reply, () -> added(finished, isChange), isChange),
                            () -> {})
                    .toCompletableFuture()
                    .cancel(true);
            reply.complete("reply");
        }
        pool.runAll();

        assertThat(finished).containsExactly("true");
    }

    private static String added(List<String> list, boolean isChange) {
        list.add(String.valueOf(isChange));
        return "done";
    }

    @Test
    void callSentAhead_withoutAnyThread_isOfUnknownOutcome() {
        CompletableFuture<String> reply = new CompletableFuture<>();
        CompletableFuture<String> stage = ahead(reply, true).toCompletableFuture();
        pool.shutdown();
        tellers.shutdown();

        reply.complete("reply");

        assertThat(stage.handle((result, thrown) -> String.valueOf(thrown)))
                .isCompletedWithValue(OutcomeUnknownException.class.getName()
                        + ": The pool for asynchronous operations is full: the command was sent, and its reply was not used;"
                        + " raise async.threads");
    }

    @Test
    void moreRepliesThanMayBeAwaited_areAwaitedByThreads() {
        List<CompletableFuture<String>> sent = new ArrayList<>();
        for (int i = 0; i <= WorkPool.MOST_AHEAD; i++) {
            sent.add(ahead(new CompletableFuture<>(), false).toCompletableFuture());
        }
        pool.runAll();

        assertThat(sent.get(WorkPool.MOST_AHEAD)).isCompletedWithValue("sent by the thread");
        assertThat(sent.get(0)).isNotDone();
        sent.forEach(stage -> stage.cancel(true));
    }

    @Test
    void callSentAhead_thatCannotBeSent_failsAndTakesNoPlace() {
        for (int i = 0; i <= WorkPool.MOST_AHEAD; i++) {
            CompletionStage<String> refused = calls.callAhead(
                    1,
                    () -> {
                        throw new IllegalStateException("not sent");
                    },
                    () -> {});
            assertThat(refused.handle((result, thrown) -> thrown.getMessage()).toCompletableFuture())
                    .isCompletedWithValue("not sent");
        }
    }

    private CompletionStage<String> ahead(CompletableFuture<String> reply, boolean isChange) {
        return calls.callAhead(
                1,
                () -> new AsyncCalls.OneCommand<>(() -> reply, () -> reply.getNow("sent by the thread"), isChange),
                () -> {});
    }

    @Test
    void callOfSeveralCommands_takesAThreadForEachReply() {
        InParts parts = new InParts("key", 3);
        CompletableFuture<String> stage = inParts(parts);

        for (int i = 0; i < 3; i++) {
            assertThat(pool.waiting()).isZero();
            assertThat(parts.sent).hasSize(i + 1);
            parts.sent.get(i).complete("reply " + i);
            pool.runAll();
        }

        assertThat(stage).isCompletedWithValue("reply 2");
    }

    @Test
    void callOfSeveralCommands_waitsItselfWhileTooManyRepliesAreAwaited() {
        InParts parts = new InParts("key", 2);
        CompletableFuture<String> stage = inParts(parts);
        parts.sent.get(0).complete("reply");
        for (int i = 0; i < WorkPool.MOST_AHEAD; i++) {
            CompletionStage<String> unused = ahead(new CompletableFuture<>(), false);
        }
        pool.runAll();

        assertThat(stage).isCompletedWithValue("reply");
        assertThat(parts.sent).hasSize(1);
    }

    @Test
    void callWithTheKeyOfAnother_beginsAtItsEnd_beforeItsContinuations() {
        InParts first = new InParts("key", 1);
        InParts second = new InParts("key", 1);
        List<Integer> begun = new ArrayList<>();
        CompletableFuture<Void> chain = inParts(first).thenRun(() -> begun.add(pool.waiting()));
        CompletableFuture<String> last = inParts(second);
        assertThat(second.sent).isEmpty();

        first.sent.get(0).complete("first");
        pool.runAll();
        second.sent.get(0).complete("second");
        pool.runAll();

        assertThat(chain).isCompleted();
        assertThat(begun).containsExactly(1);
        assertThat(last).isCompletedWithValue("second");
    }

    @Test
    void callThatWaitsTooLongForAnotherWithItsKey_isNeverSent() {
        InParts first = new InParts("key", 1);
        InParts second = new InParts("key", 1);
        CompletableFuture<String> unused = inParts(first);
        CompletableFuture<String> late = inParts(second);

        scheduler.advance(LONGEST_WAIT);
        tellers.runAll();
        first.sent.get(0).complete("first");
        pool.runAll();

        assertThat(late)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(CacheOverloadedException.class);
        assertThat(second.sent).isEmpty();
    }

    private CompletableFuture<String> inParts(InParts parts) {
        return calls.callAhead(1, () -> parts, () -> {}).toCompletableFuture();
    }

    /** A call of several commands, whose result is the last reply. */
    private record InParts(Object key, int commands, List<CompletableFuture<String>> sent, List<Integer> parts)
            implements AsyncCalls.Parts<String> {
        InParts(Object key, int commands) {
            this(key, commands, new ArrayList<>(), new ArrayList<>());
        }

        @Override
        public CompletableFuture<?> send() {
            CompletableFuture<String> reply = new CompletableFuture<>();
            sent.add(reply);
            return reply;
        }

        @Override
        public boolean goOn() {
            parts.add(sent.size());
            return parts.size() == commands;
        }

        @Override
        public String result() {
            return sent.get(sent.size() - 1).join();
        }

        @Override
        public boolean isChange() {
            return false;
        }
    }

    /** Runs what it was given when the test says so, on the test's thread. */
    private static final class QueueingPool extends AbstractExecutorService {
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private boolean shutDown;

        int waiting() {
            return tasks.size();
        }

        void runAll() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }

        @Override
        public void execute(Runnable task) {
            if (shutDown) {
                throw new RejectedExecutionException("shut down");
            }
            tasks.add(task);
        }

        @Override
        public void shutdown() {
            shutDown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutDown = true;
            return List.copyOf(tasks);
        }

        @Override
        public boolean isShutdown() {
            return shutDown;
        }

        @Override
        public boolean isTerminated() {
            return shutDown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return shutDown;
        }
    }
}
