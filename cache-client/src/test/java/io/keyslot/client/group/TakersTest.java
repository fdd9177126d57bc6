// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TakersTest {
    private static final EncodedKey LIST = EncodedKey.of("queue:{customer:99}");
    private static final Element ELEMENT = Element.of("a");

    private final ManualTime time = new ManualTime(1);
    private final List<Duration> asked = new ArrayList<>();
    private Runnable whileWaiting = () -> {};
    private final Takers takers = new Takers(time.timing(), new TestWaiter());

    @AfterEach
    void nothing_isLeft() {
        assertThat(takers.size()).isZero();
        assertThat(time.scheduler().waiting()).isZero();
    }

    private Duration elapsed() {
        return Duration.ofNanos(time.ticker().nanos() - start);
    }

    private final long start = time.ticker().nanos();

    /** Answers the element after this much time, and remembers when it was asked. */
    private Supplier<@Nullable Element> after(Duration duration) {
        return () -> {
            asked.add(elapsed());
            return elapsed().compareTo(duration) < 0 ? null : ELEMENT;
        };
    }

    @Test
    void deadline_isKeptExactly_andAskedAtOnceMore() {
        assertThat(takers.take(LIST, Duration.ofMillis(777), after(Duration.ofDays(1))))
                .isNull();
        assertThat(elapsed()).isEqualTo(Duration.ofMillis(777));
        assertThat(asked).last().isEqualTo(Duration.ofMillis(777));
    }

    @Test
    void arrival_endsThePauseAtOnce() {
        whileWaiting = () -> {
            if (asked.size() == 10) {
                takers.arrived(LIST, 1);
            }
        };

        takers.take(LIST, Duration.ofSeconds(1), after(Duration.ofDays(1)));

        assertThat(asked.get(10)).isEqualTo(asked.get(9));
    }

    @Test
    void arrivalThatATakerDoesNotNeed_goesToTheNext() {
        List<String> order = new ArrayList<>();
        Supplier<@Nullable Element> inner = () -> {
            order.add("first");
            takers.arrived(LIST, 1); // meant for the taker that already waits, or for this one: both have one element
            return ELEMENT;
        };
        whileWaiting = () -> {
            if (order.isEmpty()) {
                takers.take(LIST, Duration.ZERO, inner);
            }
        };

        takers.take(LIST, Duration.ofSeconds(1), () -> {
            asked.add(elapsed());
            return order.isEmpty() ? null : ELEMENT;
        });

        assertThat(order).containsExactly("first");
        assertThat(asked).hasSize(2).allMatch(Duration.ZERO::equals);
    }

    @Test
    void interruptedThread_stopsWaitingAndStaysInterrupted() {
        whileWaiting = () -> Thread.currentThread().interrupt();

        assertThat(takers.take(LIST, Duration.ofMinutes(1), after(Duration.ofDays(1))))
                .isNull();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(asked).hasSize(1);
    }

    /** Lets the time pass for which somebody waits. */
    private final class TestWaiter implements Waiter {
        @Override
        public <T> T await(CompletableFuture<T> future, Deadline deadline, Supplier<T> onTimeout) {
            whileWaiting.run();
            if (!future.isDone() && !Thread.currentThread().isInterrupted()) {
                time.advance(Duration.ofNanos(deadline.remainingNanos()));
            }
            return future.isDone() ? future.join() : onTimeout.get();
        }

        @Override
        public void awaitDone(CompletableFuture<?> future, Deadline deadline) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T awaitClose(CompletableFuture<T> future, Duration atMost, Supplier<T> onTimeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean awaitTurn(Lock lock, Deadline deadline) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void pause(Duration duration) {
            throw new UnsupportedOperationException();
        }
    }
}
