// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.client.concurrent.SystemWaiter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoaderException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoaderCallsTest {
    private static final Set<String> KEYS = Set.of("a");
    private static final Duration LONG = Duration.ofMinutes(1);

    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new SynchronousQueue<>());
    private final CountDownLatch released = new CountDownLatch(1);
    private final LoaderCalls untimed = new LoaderCalls("texts", null, pool, pool, 1, new SystemWaiter());
    private final LoaderCalls timed = new LoaderCalls("texts", LONG, pool, pool, 1, new SystemWaiter());

    @AfterEach
    void close() {
        Thread.interrupted();
        released.countDown();
        pool.shutdownNow();
    }

    private boolean waits() {
        try {
            return released.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void withoutATimeout_theCallersThreadCalls() {
        assertThat(untimed.call(KEYS, Thread::currentThread)).isSameAs(Thread.currentThread());
    }

    @Test
    void withATimeout_anotherThreadCalls() {
        assertThat(timed.call(KEYS, Thread::currentThread)).isNotSameAs(Thread.currentThread());
    }

    @Test
    void failureAndError_reachTheCallerAsTheyAre() {
        RuntimeException failure = new IllegalStateException("of the loader");
        Error error = new AssertionError("of the loader");
        assertThatThrownBy(() -> timed.call(KEYS, () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        LoaderCalls other = new LoaderCalls("texts", null, pool, pool, 1, new SystemWaiter());
        assertThatThrownBy(() -> other.call(KEYS, () -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    void moreLoadsForAMissingPartition_thanTheBulkhead_areRefused() {
        LoaderCalls two = new LoaderCalls("texts", null, pool, pool, 2, new SystemWaiter());
        for (int i = 0; i < 3; i++) { // loads that have ended make room again
            assertThat(two.callBounded(KEYS, () -> two.callBounded(KEYS, () -> refused(two))))
                    .isTrue();
        }
    }

    private static boolean refused(LoaderCalls full) {
        assertThatThrownBy(() -> full.callBounded(KEYS, () -> "loaded")).isInstanceOf(CacheOverloadedException.class);
        return true;
    }

    @Test
    void callThatFindsNoThread_isRefused() {
        assertThat(untimed.inBackground(this::waits)).isTrue();
        assertThat(untimed.inBackground(this::waits)).isFalse();
        assertThatThrownBy(() -> timed.call(KEYS, () -> "v"))
                .isInstanceOf(CacheOverloadedException.class)
                .hasMessage("Cache texts: nothing was loaded, all threads for loads are in use; make the loader faster,"
                        + " or raise loading.threads");
    }

    @Test
    void callerThatIsInterrupted_saysSo_andStaysInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> timed.call(KEYS, this::waits))
                .isInstanceOf(CallInterruptedException.class)
                .hasMessage("Cache texts: a load was given up: the thread was interrupted");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void loaderThatFailsWithAnInterruption_tellsWhoseItWas() {
        LoaderCalls here = new LoaderCalls("texts", null, pool, pool, 1, new SystemWaiter());
        CacheLoaderException ofThisThread = new CacheLoaderException(new InterruptedException());
        CacheLoaderException ofAnother = new CacheLoaderException(new ExecutionException(new InterruptedException()));

        assertThatThrownBy(() -> here.call(KEYS, failing(ofAnother))).isSameAs(ofAnother);
        assertThat(Thread.interrupted()).isFalse();
        assertThatThrownBy(() -> here.call(KEYS, failing(ofThisThread)))
                .isInstanceOf(CallInterruptedException.class)
                .hasCause(ofThisThread);
        assertThat(Thread.interrupted()).isTrue();
    }

    private static Supplier<String> failing(RuntimeException failure) {
        return () -> {
            throw failure;
        };
    }

    @Test
    void loader_knowsThatItIsOne_onWhicheverThread() {
        assertThat(LoaderCalls.isInLoader()).isFalse();
        assertThat(untimed.call(KEYS, LoaderCalls::isInLoader)).isTrue();
        assertThat(timed.call(KEYS, LoaderCalls::isInLoader)).isTrue();
        assertThat(LoaderCalls.isInLoader()).isFalse();
    }

    @Test
    void loadOfWhatIsBeingLoaded_isRefused_alsoFurtherIn() {
        assertThat(untimed.<String>call(
                        KEYS,
                        () -> timed.call(Set.of("b"), () -> {
                            timed.checkNotWithin("a"); // another cache
                            assertRefused(timed, "b");
                            assertRefused(untimed, "a");
                            return "v";
                        })))
                .isEqualTo("v");
        untimed.checkNotWithin("a");
    }

    private static void assertRefused(LoaderCalls calls, String key) {
        assertThatThrownBy(() -> calls.checkNotWithin(key))
                .isInstanceOf(CacheLoaderException.class)
                .hasMessageStartingWith(
                        "Cache texts: the loader, or a listener or expiry policy that its load runs, reads the entry that is being loaded");
    }

    @Test
    void loaderThatFails_isNoLongerWithin() {
        assertThatThrownBy(() -> untimed.call(KEYS, () -> {
            throw new IllegalStateException("of the loader");
        }));
        assertThat(LoaderCalls.isInLoader()).isFalse();
    }
}
