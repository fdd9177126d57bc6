// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.jcache.MapLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.integration.CompletionListenerFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKeyslotTest {
    @AutoClose
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(
            KeyslotSettings.defaults().withPartitions(2).withProperty("keyslot.caches.short.ttl", "10m"));

    private PartitionedCache<String, String> cache(String name) {
        return keyslot.cacheManager().createCache(name, new PartitionedConfiguration<String, String>());
    }

    @Test
    void partitions_areAsManyAsTheSettingsSay() {
        assertThat(keyslot.partitions()).extracting(PartitionFaults::name).containsExactly("p1", "p2");
        assertThat(keyslot.cacheManager().slotMap().partitions()).hasSize(2);
        assertThatThrownBy(() -> keyslot.partition("p3")).hasMessageContaining("[p1, p2]");
    }

    @Test
    void cacheManager_isTheSameForAProcess_andAnotherForEveryOther() {
        assertThat(keyslot.cacheManager()).isSameAs(keyslot.cacheManager(0));
        assertThat(keyslot.cacheManager(1)).isNotSameAs(keyslot.cacheManager(0));
    }

    @Test
    void addressesOfTheConfiguration_areReplacedByEmbeddedPartitions(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("shop.yaml"), """
                engine: instances
                partitions:
                  east: rediss://user:${NOT_SET}@east.example
                  west: rediss://user:${NOT_SET}@west.example
                caches:
                  customer: { ttl: 1m }
                """);
        KeyslotSettings settings = KeyslotSettings.defaults().withConfiguration(file.toString());

        try (EmbeddedKeyslot configured = EmbeddedKeyslot.start(settings)) {
            Cache<Object, Object> cache = configured.cacheManager().getCache("customer");
            cache.put("99", "Ada");
            assertThat(cache.get("99")).isEqualTo("Ada");
            configured.advance(Duration.ofMinutes(1));
            assertThat(cache.get("99")).isNull();
        }
    }

    @Test
    void wrongConfiguration_stopsTheStart() {
        KeyslotSettings settings = KeyslotSettings.defaults().withProperty("keyslot.deadlines.cal", "1s");

        assertThatThrownBy(() -> EmbeddedKeyslot.start(settings))
                .isInstanceOf(CacheException.class)
                .hasMessageContaining("did you mean");
    }

    @Test
    void entries_expireWhenTimePasses() {
        PartitionedCache<String, String> cache = cache("short");
        cache.put("99", "Ada");

        keyslot.advance(Duration.ofMinutes(10).minusMillis(1));
        assertThat(cache.get("99")).isEqualTo("Ada");
        keyslot.advance(Duration.ofMillis(1));

        assertThat(cache.get("99")).isNull();
        assertThat(keyslot.elapsed()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void asynchronousCalls_areDoneAtOnce_ifNoTimeHasToPass() {
        PartitionedCache<String, String> cache = cache("customer");

        CompletionStage<?> put = cache.putAsync("99", "Ada");

        assertThat(put.toCompletableFuture()).isDone();
        assertThat(cache.getAsync("99").toCompletableFuture()).isCompletedWithValue("Ada");
    }

    @Test
    void asynchronousCalls_goOnWhenTimePasses() {
        PartitionedCache<String, String> cache = cache("customer");
        cache.put("99", "Ada");
        keyslot.partitionOf(cache, "99").slow(Duration.ofMillis(100));

        CompletionStage<@Nullable String> first = cache.getAsync("99");
        keyslot.advance(Duration.ofMillis(99));
        assertThat(first.toCompletableFuture()).isNotDone();
        CompletionStage<@Nullable String> second = cache.getAsync("99");

        assertThat(keyslot.await(second)).isEqualTo("Ada");
        assertThat(first.toCompletableFuture()).isCompletedWithValue("Ada");
        assertThat(keyslot.elapsed()).isEqualTo(Duration.ofMillis(199));
    }

    @Test
    void asynchronousCallThatIsJoined_movesTimeItself() {
        PartitionedCache<String, String> cache = cache("customer");
        cache.put("99", "Ada");
        keyslot.partitionOf(cache, "99").slow(Duration.ofMillis(100));

        assertThat(cache.getAsync("99").toCompletableFuture().join()).isEqualTo("Ada");
    }

    @Test
    void stageThatNeverCompletes_isGivenUp() {
        assertThatThrownBy(() -> keyslot.await(new CompletableFuture<String>()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void loaderThatTakesTime_runsOnThePoolWhileTheTestGoesOn() {
        List<Duration> loadedAt = new ArrayList<>();
        PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
        configuration.setCacheLoaderFactory(() -> MapLoader.answering(key -> {
            keyslot.advance(Duration.ofSeconds(2));
            loadedAt.add(keyslot.elapsed());
            return "loaded " + key;
        }));
        PartitionedCache<String, String> cache = keyslot.cacheManager().createCache("customer", configuration);

        CompletionListenerFuture done = new CompletionListenerFuture();
        cache.loadAll(Set.of("99"), false, done);
        assertThat(done.isDone()).isFalse();
        keyslot.advance(Duration.ofSeconds(1));
        assertThat(cache.get("99")).isNull();
        keyslot.advance(Duration.ofSeconds(1));

        assertThat(done.isDone()).isTrue();
        assertThat(cache.get("99")).isEqualTo("loaded 99");
        assertThat(loadedAt).containsExactly(Duration.ofSeconds(2));
    }

    @Test
    void failureOfAnEvent_reachesWhoWaits() {
        keyslot.after(Duration.ofSeconds(1), () -> {
            throw new IllegalArgumentException("planned");
        });

        assertThatThrownBy(() -> keyslot.advance(Duration.ofSeconds(2))).hasMessage("planned");
        keyslot.advance(Duration.ofSeconds(1));
        assertThat(keyslot.elapsed()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void closing_endsAsynchronousWorkThatWaits() {
        PartitionedCache<String, String> cache = cache("customer");
        keyslot.partitions().forEach(PartitionFaults::freeze);
        CompletionStage<@Nullable String> stage = cache.getAsync("99");

        keyslot.close();

        assertThat(stage.toCompletableFuture()).succeedsWithin(Duration.ofSeconds(10));
    }
}
