// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.concurrent.SerialExecutor;
import io.keyslot.client.entry.EventDispatcher;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.cache.CacheException;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryListener;
import org.junit.jupiter.api.Test;

class CacheLifecycleTest {
    private final CacheLifecycle lifecycle = new CacheLifecycle(
            "customer", CacheTelemetry.NONE, new CacheBeans(URI.create("lifecycle-test"), "customer"));
    private final EventDispatcher<String, String> events =
            new EventDispatcher<>(new SerialExecutor("test", Runnable::run));
    private final List<String> closed = new ArrayList<>();

    private final class ClosingListener implements CacheEntryListener<String, String>, Closeable {
        @Override
        public void close() {
            closed.add("listener");
        }
    }

    @Test
    void end_isTrueOnce() {
        assertThatCode(lifecycle::checkOpen).doesNotThrowAnyException();

        assertThat(lifecycle.end()).isTrue();
        assertThat(lifecycle.end()).isFalse();

        assertThat(lifecycle.isClosed()).isTrue();
        assertThatThrownBy(lifecycle::checkOpen)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cache customer is closed");
    }

    @Test
    void release_closesListenersAndCustomisations() {
        events.register(new MutableCacheEntryListenerConfiguration<>(
                new SingletonFactory<>(new ClosingListener()), null, false, true));
        Closeable loader = lifecycle.create(() -> (Closeable) () -> closed.add("loader"));
        lifecycle.create(() -> "a writer that need not be closed");

        lifecycle.release(events);

        assertThat(loader).isNotNull();
        assertThat(closed).containsExactly("listener", "loader");
        assertThat(events.isEmpty()).isTrue();
    }

    @Test
    void failures_stopNothingAndAreCollected() {
        IOException first = new IOException("loader");
        IllegalStateException second = new IllegalStateException("writer");
        lifecycle.create(() -> (Closeable) () -> {
            throw first;
        });
        lifecycle.create(() -> (Closeable) () -> {
            throw second;
        });
        lifecycle.create(() -> (Closeable) () -> closed.add("policy"));

        assertThatThrownBy(() -> lifecycle.release(events))
                .isInstanceOf(CacheException.class)
                .hasMessage("Cache customer: closing a loader, writer, listener or policy failed")
                .hasCause(first)
                .hasSuppressedException(second);
        assertThat(closed).containsExactly("policy");
    }
}
