// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemWaiterTest {
    private final ManualTicker ticker = new ManualTicker();
    private final Waiter waiter = new SystemWaiter();
    private final Deadline farAway = Deadline.after(ticker, Duration.ofMinutes(1));
    private final Deadline over = Deadline.after(ticker, Duration.ofMinutes(-1));

    @AfterEach
    void clearInterruption() {
        Thread.interrupted();
    }

    private static String unexpected() {
        throw new AssertionError("there was a value");
    }

    @Test
    void valueThatIsThere_isReturnedEvenAfterTheDeadline() {
        assertThat(waiter.await(CompletableFuture.completedFuture("value"), over, SystemWaiterTest::unexpected))
                .isEqualTo("value");
    }

    @Test
    void valueThatIsThere_isReturnedToAnInterruptedThread() {
        Thread.currentThread().interrupt();

        assertThat(waiter.await(CompletableFuture.completedFuture("value"), farAway, SystemWaiterTest::unexpected))
                .isEqualTo("value");
    }

    @Test
    void valueThatComes_isReturned() {
        CompletableFuture<String> future = new CompletableFuture<>();
        Thread other = new Thread(() -> future.complete("value"));
        other.start();

        assertThat(waiter.await(future, farAway, SystemWaiterTest::unexpected)).isEqualTo("value");
    }

    @Test
    void awaitDone_endsWithTheFutureOrTheDeadlineAndThrowsNothing() {
        CompletableFuture<String> future = new CompletableFuture<>();
        Thread other = new Thread(() -> future.completeExceptionally(new IllegalStateException("failed")));
        other.start();

        waiter.awaitDone(future, farAway);
        waiter.awaitDone(new CompletableFuture<>(), over);

        assertThat(future).isDone();
    }

    @Test
    void awaitDone_endsForAnInterruptedThreadWhichStaysInterrupted() {
        Thread.currentThread().interrupt();

        waiter.awaitDone(new CompletableFuture<>(), farAway);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void noValueByTheDeadline_isTheOutcomeOfTheTimeout() {
        assertThat(waiter.await(new CompletableFuture<>(), over, () -> "late")).isEqualTo("late");
    }

    @Test
    void interruptedThread_getsTheOutcomeOfTheTimeoutAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        assertThat(waiter.await(new CompletableFuture<>(), farAway, () -> "interrupted"))
                .isEqualTo("interrupted");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void failedFuture_isABug() {
        IllegalArgumentException bug = new IllegalArgumentException("bug");

        assertThatThrownBy(
                        () -> waiter.await(CompletableFuture.failedFuture(bug), farAway, SystemWaiterTest::unexpected))
                .isInstanceOf(IllegalStateException.class)
                .hasCause(bug);
    }

    @Test
    void error_isThrownAsItIs() {
        StackOverflowError error = new StackOverflowError();

        assertThatThrownBy(() ->
                        waiter.await(CompletableFuture.failedFuture(error), farAway, SystemWaiterTest::unexpected))
                .isSameAs(error);
    }

    @Test
    void awaitClose_isBounded() {
        assertThat(waiter.awaitClose(new CompletableFuture<>(), Duration.ZERO, () -> false))
                .isFalse();
        assertThat(waiter.awaitClose(CompletableFuture.completedFuture(true), Duration.ZERO, () -> false))
                .isTrue();
    }
}
