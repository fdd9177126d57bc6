// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.concurrent.SerialExecutor;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventDispatcherTest {
    private final KeyslotCachingProvider provider = new KeyslotCachingProvider();
    private final CacheManager manager = provider.getCacheManager(null, null, new Properties());
    private final Cache<String, String> source =
            manager.createCache("customer", new MutableConfiguration<String, String>());

    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final EventDispatcher<String, String> dispatcher =
            new EventDispatcher<>(new SerialExecutor("test", threads::add));
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close() {
        provider.close();
    }

    /** Tells the test of what it hears. */
    private final class Listener
            implements CacheEntryCreatedListener<String, String>, CacheEntryUpdatedListener<String, String>, Closeable {
        private final String name;
        private final Consumer<CacheEntryEvent<? extends String, ? extends String>> then;

        Listener(String name, Consumer<CacheEntryEvent<? extends String, ? extends String>> then) {
            this.name = name;
            this.then = then;
        }

        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            hear(events);
        }

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            hear(events);
        }

        private void hear(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            events.forEach(event -> {
                told.add(name + " " + event.getEventType() + " " + event.getKey() + "=" + event.getValue());
                then.accept(event);
            });
        }

        @Override
        public void close() {
            told.add(name + " closed");
        }
    }

    private CacheEntryListenerConfiguration<String, String> configuration(
            String name,
            boolean synchronous,
            @Nullable CacheEntryEventFilter<String, String> filter,
            Consumer<CacheEntryEvent<? extends String, ? extends String>> then) {
        return new MutableCacheEntryListenerConfiguration<>(
                new SingletonFactory<>(new Listener(name, then)),
                filter == null ? null : new SingletonFactory<>(filter),
                false,
                synchronous);
    }

    private void dispatch(EventType type, String value) {
        dispatcher.dispatch(source, List.of(new CacheEvent<>(source, type, "key", value, "old")), text -> text);
    }

    private static Consumer<CacheEntryEvent<? extends String, ? extends String>> failing(RuntimeException failure) {
        return event -> {
            throw failure;
        };
    }

    @Test
    void synchronousFailure_reachesTheCallerAfterAllWereTold() {
        dispatcher.register(configuration("a", true, null, failing(new IllegalStateException("a failed"))));
        dispatcher.register(configuration("b", true, null, failing(new IllegalStateException("b failed"))));

        assertThatThrownBy(() -> dispatch(EventType.CREATED, "value"))
                .isInstanceOf(CacheEntryListenerException.class)
                .hasMessage("Cache customer: a listener failed: java.lang.IllegalStateException: a failed")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(told).containsExactly("a CREATED key=value", "b CREATED key=value");
    }

    @Test
    void sameFailureOfTwoListeners_isThrownOnce() {
        CacheEntryListenerException same = new CacheEntryListenerException("same");
        dispatcher.register(configuration("a", true, null, failing(same)));
        dispatcher.register(configuration("b", true, null, failing(same)));

        assertThatThrownBy(() -> dispatch(EventType.CREATED, "value"))
                .isSameAs(same)
                .hasNoSuppressedExceptions();
    }

    @Test
    void asynchronousListener_hearsInOrderOnAnotherThread() {
        dispatcher.register(configuration("a", false, null, event -> {}));

        dispatch(EventType.CREATED, "1");
        dispatch(EventType.UPDATED, "2");

        assertThat(told).isEmpty();
        threads.remove().run();
        assertThat(told).containsExactly("a CREATED key=1", "a UPDATED key=2");
    }

    @Test
    void asynchronousFailure_reachesNobodyButTheLog() {
        dispatcher.register(configuration("a", false, null, failing(new IllegalStateException("a failed"))));

        dispatch(EventType.CREATED, "1");
        dispatch(EventType.CREATED, "2");

        assertThatCode(() -> threads.remove().run()).doesNotThrowAnyException();
        assertThat(told).hasSize(2);
    }

    @Test
    void filter_decidesWhatIsHeard() {
        dispatcher.register(configuration("a", true, event -> "yes".equals(event.getValue()), event -> {}));

        dispatch(EventType.CREATED, "no");
        dispatch(EventType.CREATED, "yes");

        assertThat(told).containsExactly("a CREATED key=yes");
    }

    @Test
    void filterThatFails_isAsAListenerThatFails() {
        IllegalStateException cause = new IllegalStateException("filter");
        dispatcher.register(configuration(
                "a",
                true,
                event -> {
                    throw cause;
                },
                event -> {}));

        assertThatThrownBy(() -> dispatch(EventType.CREATED, "value"))
                .isInstanceOf(CacheEntryListenerException.class)
                .hasCause(cause);
        assertThat(told).isEmpty();
    }

    @Test
    void eventsThatNobodyListensTo_areNotTold() {
        dispatcher.register(configuration("a", true, null, event -> {}));

        dispatch(EventType.REMOVED, "value");
        dispatch(EventType.EXPIRED, "value");

        assertThat(told).isEmpty();
    }

    @Test
    void oldValue_isThereOnlyForWhoAskedForIt() {
        List<Boolean> available = new ArrayList<>();
        Listener listener = new Listener("a", event -> available.add(event.isOldValueAvailable()));
        dispatcher.register(
                new MutableCacheEntryListenerConfiguration<>(new SingletonFactory<>(listener), null, true, true));
        dispatcher.register(configuration("b", true, null, event -> available.add(event.isOldValueAvailable())));

        dispatch(EventType.UPDATED, "value");

        assertThat(available).containsExactly(true, false);
    }

    @Test
    void event_knowsItsSource() {
        List<Object> sources = new ArrayList<>();
        dispatcher.register(configuration("a", true, null, event -> sources.add(event.getSource())));

        dispatch(EventType.CREATED, "value");

        assertThat(sources).containsExactly(source);
    }

    @Test
    void equalConfiguration_isRefused() {
        CacheEntryListenerConfiguration<String, String> configuration = configuration("a", true, null, event -> {});
        dispatcher.register(configuration);

        assertThatThrownBy(() -> dispatcher.register(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A listener with an equal configuration is registered already");
    }

    @Test
    void deregister_closesTheListenerAndForgetsIt() {
        CacheEntryListenerConfiguration<String, String> configuration = configuration("a", true, null, event -> {});
        dispatcher.register(configuration);
        assertThat(dispatcher.isEmpty()).isFalse();

        dispatcher.deregister(
                configuration, closeables -> assertThat(closeables).hasSize(1));

        assertThat(dispatcher.isEmpty()).isTrue();
        assertThat(dispatcher.removeAll()).isEmpty();
    }

    @Test
    void removeAll_givesWhatHasToBeClosed() {
        dispatcher.register(configuration("a", true, null, event -> {}));
        dispatcher.register(configuration("b", false, null, event -> {}));

        assertThat(dispatcher.removeAll()).hasSize(2);
        assertThat(dispatcher.isEmpty()).isTrue();
    }

    @Test
    void listenerWhoseFactoryFails_isNotRegistered_andMayBeAgain() {
        boolean[] fails = {true};
        CacheEntryListenerConfiguration<String, String> configuration = new MutableCacheEntryListenerConfiguration<>(
                () -> {
                    if (fails[0]) {
                        throw new IllegalStateException("factory");
                    }
                    return new Listener("a", event -> {});
                },
                null,
                false,
                true);

        assertThatThrownBy(() -> source.registerCacheEntryListener(configuration))
                .hasMessage("factory");
        fails[0] = false;
        source.registerCacheEntryListener(configuration);
        source.put("key", "value");

        assertThat(told).containsExactly("a CREATED key=value");
    }
}
