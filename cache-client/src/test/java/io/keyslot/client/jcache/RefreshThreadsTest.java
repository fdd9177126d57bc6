// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import org.junit.jupiter.api.Test;

/** As many entries are loaded again in the background as there are threads, also if their loader has a timeout. */
class RefreshThreadsTest {
    private static final int THREADS = 3;

    @Test
    void refreshesWithATimeout_runAllAtTheSameTime() {
        LoadingOptions options = LoadingOptions.defaults()
                .withTimeout(Duration.ofSeconds(20))
                .withStaleWhileRevalidate(Duration.ofHours(1));
        try (Embedded embedded = new Embedded("keyslot.loading.threads", Integer.toString(THREADS))) {
            PartitionedConfiguration<String, String> configuration =
                    Embedded.configuration().setLoading(options);
            configuration.setReadThrough(true).setCacheLoaderFactory(Together::new);
            configuration.setExpiryPolicyFactory(
                    CreatedExpiryPolicy.factoryOf(new javax.cache.expiry.Duration(TimeUnit.MILLISECONDS, 300)));
            PartitionedCache<String, String> cache = embedded.cache("texts", configuration);
            List<String> keys = List.of("a", "b", "c");
            keys.forEach(key -> cache.put(key, "old"));
            await("the end of their time").until(() -> keys.stream().noneMatch(cache::containsKey));

            for (String key : keys) {
                assertThat(cache.get(key)).isEqualTo("old");
            }

            await("all of them loaded again")
                    .untilAsserted(
                            () -> assertThat(keys.stream().map(cache::get)).containsOnly("new"));
        }
    }

    /** Answers when it is called for as many entries as there are threads, which is all at the same time. */
    private static final class Together implements CacheLoader<String, String> {
        private final CyclicBarrier all = new CyclicBarrier(THREADS);

        @Override
        public String load(String key) {
            try {
                all.await(20, TimeUnit.SECONDS);
                return "new";
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new CacheLoaderException("not all at the same time", e);
            }
        }

        @Override
        public Map<String, String> loadAll(Iterable<? extends String> keys) {
            throw new CacheLoaderException("one by one");
        }
    }
}
