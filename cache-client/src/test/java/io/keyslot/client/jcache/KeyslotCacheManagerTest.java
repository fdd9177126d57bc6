// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.expiry.EternalExpiryPolicy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KeyslotCacheManagerTest {
    @AutoClose
    private final Embedded embedded =
            new Embedded("keyslot.caches.customer.ttl", "5m", "keyslot.caches.sale.keyType", "java.lang.Long");

    private final PartitionedCacheManager manager = embedded.manager;

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
    }

    @Nested
    class Caches {
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
}
