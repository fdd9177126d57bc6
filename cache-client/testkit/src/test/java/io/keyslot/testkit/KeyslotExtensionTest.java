// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import java.time.Duration;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

class KeyslotExtensionTest {
    @Test
    void withoutARunningTest_thereIsNothing() {
        assertThatThrownBy(() -> new KeyslotExtension().keyslot()).isInstanceOf(IllegalStateException.class);
    }

    @Nested
    @ExtendWith(KeyslotExtension.class)
    class Parameters {
        @BeforeEach
        void createCache(CacheManager manager) {
            manager.createCache("customer", new PartitionedConfiguration<String, String>());
        }

        @Test
        void ofOneTest_belongTogether(CacheManager manager, PartitionedCacheManager same, EmbeddedKeyslot keyslot) {
            assertThat(manager).isSameAs(same).isSameAs(keyslot.cacheManager());
            assertThat(keyslot.partitions()).hasSize(3);
        }

        @RepeatedTest(2)
        void ofEachTest_areFresh(CacheManager manager) {
            Cache<String, String> cache = manager.getCache("customer");

            assertThat(cache.putIfAbsent("99", "Ada")).isTrue();
        }
    }

    @Nested
    class Field {
        @RegisterExtension
        final KeyslotExtension keyslot = new KeyslotExtension(
                KeyslotSettings.defaults().withPartitions(1).withProperty("keyslot.caches.customer.ttl", "10m"));

        @RepeatedTest(2)
        void hasTheSettings_andTheFaults() {
            Cache<String, String> cache = keyslot.cacheManager().getCache("customer");
            assertThat(cache.get("99")).isNull();
            cache.put("99", "Ada");

            keyslot.advance(Duration.ofMinutes(9));
            assertThat(cache.get("99")).isEqualTo("Ada");
            keyslot.partition("p1").kill();
            assertThat(cache.get("99")).isNull();
        }
    }
}
