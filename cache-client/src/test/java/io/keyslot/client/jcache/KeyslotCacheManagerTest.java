// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KeyslotCacheManagerTest {
    private final Embedded embedded =
            new Embedded("keyslot.caches.customer.ttl", "5m", "keyslot.caches.sale.keyType", "java.lang.Long");
    private final PartitionedCacheManager manager = embedded.manager;

    @AfterEach
    void close() {
        embedded.close();
    }

    @Nested
    class ConfiguredCaches {
        @Test
        void exist_fromTheStart() {
            assertThat(manager.getCacheNames()).containsExactly("customer", "sale");
        }

        @Test
        void areMade_whenAskedFor() {
            Cache<Object, Object> customer = manager.getCache("customer");

            customer.put("99", "Ada");

            assertThat(((PartitionedCache<Object, Object>) customer)
                            .explain("99")
                            .timeToLive())
                    .isNotNull();
            assertThat((Object) manager.getCache("customer")).isSameAs(customer);
            assertThat((Object) manager.getCache("sale", Long.class, Object.class))
                    .isNotNull();
        }

        @Test
        void thatAreDestroyed_doNotComeBackByThemselves() {
            manager.destroyCache("customer");

            assertThat((Object) manager.getCache("customer")).isNull();
            assertThat(manager.getCacheNames()).containsExactly("sale");

            embedded.cache("customer");
            assertThat(manager.getCacheNames()).containsExactly("customer", "sale");
            assertThat((Object) manager.getCache("customer")).isNotNull();
        }

        @Test
        void texts_sayWhichCacheAndWhatChanged() {
            Cache<Object, Object> customer = manager.getCache("customer");
            List<String> events = new ArrayList<>();
            CacheEntryCreatedListener<Object, Object> listener =
                    created -> created.forEach(event -> events.add(event.toString()));
            customer.registerCacheEntryListener(
                    new MutableCacheEntryListenerConfiguration<>(() -> listener, null, true, true));

            customer.put("99", "Ada");

            String text = "cache customer of cache manager " + manager.getURI();
            assertThat(customer.toString()).isEqualTo(text);
            assertThat(events).containsExactly("CREATED in " + text + ": key=99, value=Ada");
        }

        @Test
        void thatAreClosed_areMadeAgain() {
            manager.getCache("customer").close();

            assertThat(manager.getCache("customer").isClosed()).isFalse();
        }
    }

    @Nested
    class Caches {
        @Test
        void unknownOne_isNull() {
            assertThat((Object) manager.getCache("nobody")).isNull();
            assertThatThrownBy(() -> manager.enableStatistics("nobody", true))
                    .isInstanceOf(CacheException.class)
                    .hasMessage("Cache nobody does not exist; create it first");
            assertThatCode(() -> manager.destroyCache("nobody")).doesNotThrowAnyException();
        }

        @Test
        void secondOneOfAName_isRefused() {
            embedded.cache("texts");

            assertThatThrownBy(() -> embedded.cache("texts"))
                    .isInstanceOf(CacheException.class)
                    .hasMessage("Cache texts exists already; use getCache, or destroy it first");
        }

        @Test
        void secondOneOfAnEntityType_isRefused() {
            embedded.cache("texts");

            assertThatThrownBy(() ->
                            embedded.cache("other", Embedded.configuration().setEntityType("texts")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Cache other: its entity type texts is that of the cache texts;"
                            + " give one of them another by entityType");
        }

        @Test
        void otherTypes_areRefused() {
            embedded.cache("texts");

            assertThatThrownBy(() -> manager.getCache("texts", Long.class, String.class))
                    .isInstanceOf(ClassCastException.class)
                    .hasMessage("Cache texts: its keys are of java.lang.String (keyType), not of java.lang.Long");
            assertThatThrownBy(() -> manager.getCache("texts", String.class, Long.class))
                    .isInstanceOf(ClassCastException.class)
                    .hasMessage("Cache texts: its values are of java.lang.String (valueType), not of java.lang.Long");
        }

        @Test
        void typesOfACacheWithoutTypes_areNamedBySettings() {
            manager.createCache("any", new PartitionedConfiguration<Object, Object>());

            assertThatThrownBy(() -> manager.getCache("any", Long.class, String.class))
                    .isInstanceOf(ClassCastException.class)
                    .hasMessage("Cache any: its keys may be of any type; set keyType: java.lang.Long for it,"
                            + " or ask for it by getCache(name)");
        }

        @Test
        void destroyedOne_hasLostItsEntries() {
            embedded.cache("texts").put("a", "value");

            manager.destroyCache("texts");

            assertThat(embedded.cache("texts").containsKey("a")).isFalse();
        }

        @Test
        void factoryThatAsksTheProviderForTheManager_doesNotLockAnybodyOut() throws Exception {
            ExecutorService other = Executors.newSingleThreadExecutor();
            PartitionedConfiguration<String, String> configuration = Embedded.configuration();
            configuration.setExpiryPolicyFactory(() -> {
                try {
                    // The other thread holds the provider's lock while it asks whether this manager is closed.
                    assertThat(other.submit(() -> embedded.provider.getCacheManager())
                                    .get(10, TimeUnit.SECONDS))
                            .isSameAs(manager);
                    return new EternalExpiryPolicy();
                } catch (InterruptedException | ExecutionException | TimeoutException e) {
                    throw new CacheException(e);
                }
            });
            try {
                assertThat(embedded.cache("texts", configuration).isClosed()).isFalse();
            } finally {
                other.shutdown();
            }
        }
    }

    @Nested
    class HalfWay {
        private final List<String> closed = new ArrayList<>();

        private final class Closing implements CacheLoader<String, String>, Closeable {
            @Override
            public String load(String key) {
                return key;
            }

            @Override
            public Map<String, String> loadAll(Iterable<? extends String> keys) {
                return Map.of();
            }

            @Override
            public void close() {
                closed.add("loader");
            }
        }

        private PartitionedConfiguration<String, String> withLoader() {
            PartitionedConfiguration<String, String> configuration = Embedded.configuration();
            configuration.setCacheLoaderFactory(Closing::new);
            return configuration;
        }

        private void assertRefusedAndClosed(PartitionedConfiguration<String, String> configuration, String message) {
            assertThatThrownBy(() -> embedded.cache("texts", configuration)).hasMessage(message);
            assertThat(closed).containsExactly("loader");
            assertThat(embedded.cache("texts").isClosed()).isFalse();
        }

        @Test
        void expiryPolicyThatCannotBeMade_closesTheLoader() {
            PartitionedConfiguration<String, String> configuration = withLoader();
            configuration.setExpiryPolicyFactory(() -> {
                throw new IllegalStateException("policy");
            });

            assertRefusedAndClosed(configuration, "policy");
        }

        @Test
        @SuppressWarnings("NullAway") // the test's subject
        void noExpiryPolicy_closesTheLoader() {
            PartitionedConfiguration<String, String> configuration = withLoader();
            configuration.setExpiryPolicyFactory(() -> (ExpiryPolicy) null);

            assertRefusedAndClosed(configuration, "expiry policy");
        }

        @Test
        void expiryPolicyThatContradictsTheOptionsForLoading_closesTheLoader() {
            PartitionedConfiguration<String, String> configuration =
                    withLoader().setLoading(LoadingOptions.defaults().withRefreshAhead(true));
            configuration.setExpiryPolicyFactory(() -> new TouchedExpiryPolicy(Duration.ONE_HOUR));

            assertRefusedAndClosed(
                    configuration,
                    "Cache texts: refreshAhead cannot be used with TouchedExpiryPolicy,"
                            + " as every access moves the moment at which a value becomes stale;"
                            + " choose CreatedExpiryPolicy or ModifiedExpiryPolicy, or leave it out");
        }

        @Test
        void listenerThatCannotBeMade_closesTheLoader() {
            PartitionedConfiguration<String, String> configuration = withLoader();
            configuration.addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                    () -> {
                        throw new NoClassDefFoundError("listener");
                    },
                    null,
                    false,
                    true));

            assertRefusedAndClosed(configuration, "listener");
        }
    }

    @Nested
    class Unwrapping {
        @Test
        void manager_isPartitioned() {
            assertThat(manager.unwrap(PartitionedCacheManager.class)).isSameAs(manager);
            assertThat(manager.unwrap(CacheManager.class)).isSameAs(manager);
            assertThat(manager.partitions()).hasSize(3);
            assertThat(manager.slotMap().partitions()).hasSize(3);
        }

        @Test
        void otherTypes_areRefused() {
            assertThatThrownBy(() -> manager.unwrap(Integer.class))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("KeyslotCacheManager does not unwrap to java.lang.Integer");
        }
    }

    @Nested
    class Close {
        @Test
        void closedManager_refusesEverything() {
            PartitionedCache<String, String> cache = embedded.cache("texts");
            manager.close();
            manager.close();

            assertThat(cache.isClosed()).isTrue();
            assertThatThrownBy(manager::getCacheNames)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The cache manager keyslot is closed");
            assertThatThrownBy(() -> embedded.cache("texts")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> manager.getCache("texts")).isInstanceOf(IllegalStateException.class);
        }

        @Test
        void threads_endWithIt() {
            PartitionedCache<String, String> cache = embedded.cache("texts");
            cache.getAsync("a").toCompletableFuture().join();
            embedded.partition("p1").kill();
            List<Thread> threads = threadsOfTheManager();

            manager.close();

            assertThat(threads).isNotEmpty();
            await().untilAsserted(() -> assertThat(threads).noneMatch(Thread::isAlive));
        }

        private List<Thread> threadsOfTheManager() {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("keyslot-keyslot-"))
                    .toList();
        }

        @Test
        void properties_areCopies() {
            Properties properties = manager.getProperties();
            properties.clear();

            assertThat(manager.getProperties()).isNotEmpty();
        }
    }
}
