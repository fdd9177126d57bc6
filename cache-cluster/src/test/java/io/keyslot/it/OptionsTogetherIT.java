// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cluster.local.TestServers;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Caches with random options, at servers: two managers that call such a cache in turn get the answers that a map would give.
 */
@SideBySide
class OptionsTogetherIT {
    private static final int CACHES = Integer.getInteger("tests.options.caches", 20);
    private static final long SEED = Long.getLong("tests.options.seed", 11);
    private static final int CALLS = 100;
    private static final int KEYS = 6;
    private static final long LIMIT_SECONDS = 120;
    private static final String SECRET = Base64.getEncoder().encodeToString(new byte[32]);

    @Test
    void cacheWithAnyOptions_answersLikeAMap() throws Exception {
        try (TestServers servers = TestServers.start(2)) {
            for (int i = 0; i < CACHES; i++) {
                Drawn drawn = new Drawn(SEED + i);
                try (CacheManager one = drawn.open("one", servers.uris());
                        CacheManager other = drawn.open("other", servers.uris())) {
                    drawn.call(List.of(drawn.cache(one), drawn.cache(other)));
                }
            }
        }
    }

    /** A cache, the calls of it, and the map that they would leave. */
    private static final class Drawn {
        private final long seed;
        private final Random random;
        private final Map<String, String> options = new HashMap<>();
        private final Map<Object, String> map = new HashMap<>();
        private final boolean isGrouped;
        private final boolean isHashed;
        private final boolean isNear;

        Drawn(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.isGrouped = random.nextInt(3) == 0;
            this.isHashed = !isGrouped && random.nextInt(4) == 0;
            boolean isRaw = !isGrouped && !isHashed && random.nextInt(4) == 0;
            this.isNear = !isRaw && random.nextInt(4) == 0;
            option(isGrouped, "groupedBy", "customer");
            option(isGrouped && random.nextBoolean(), "indexed", "" + random.nextBoolean());
            option(isHashed, "hashedKeys", SECRET);
            option(isRaw, "layout", "raw");
            option(isNear, "near.maximumEntries", "50");
            option(isRaw || random.nextBoolean(), "codec", one(List.of("json", "string")));
            boolean isEncrypted = !isRaw && random.nextInt(3) == 0;
            boolean isCompressed = !isRaw && random.nextInt(3) == 0;
            option(isEncrypted, "encryption.key", SECRET);
            option(isCompressed, "compression.from", "64");
            option(isCompressed && !isEncrypted && random.nextBoolean(), "compression.dictionary", "sampled");
            option(!isRaw && !isHashed && random.nextInt(3) == 0, "feed.values", "" + random.nextBoolean());
            boolean expires = random.nextBoolean();
            option(expires, "ttl", "1h");
            option(expires, "expiry", one(List.of("created", "modified", "accessed", "touched")));
            option(random.nextInt(4) == 0, "missingPartitionWrites", "journal");
        }

        private void option(boolean isSet, String name, String value) {
            if (isSet) {
                options.put(name, value);
            }
        }

        private <T> T one(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        CacheManager open(String process, List<String> uris) {
            Map<String, String> settings = new HashMap<>();
            settings.put("keyslot.namespace", "drawn-" + seed);
            settings.put("keyslot.sharedInstances", "true");
            settings.put("keyslot.deadlines.call", "60s"); // however busy the machine is
            settings.put("keyslot.deadlines.command", "30s");
            options.forEach((name, value) -> settings.put("keyslot.caches.drawn." + name, value));
            return KeyslotManagers.openPatiently(process + "-" + seed, uris, settings);
        }

        @SuppressWarnings("unchecked")
        PartitionedCache<Object, String> cache(CacheManager manager) {
            return manager.createCache(
                            "drawn",
                            new PartitionedConfiguration<Object, String>().setTypes(Object.class, String.class))
                    .unwrap(PartitionedCache.class);
        }

        private Object key() {
            int id = random.nextInt(KEYS);
            return isGrouped ? EntityKey.of("drawn", id).in(EntityKey.of("customer", id % 2)) : "k" + id;
        }

        private Set<Object> keys() {
            return IntStream.range(0, 3).mapToObj(i -> key()).collect(Collectors.toSet());
        }

        private String value() {
            String text = one(List.of("", "a", "ä€", "{\"a\":1}", "abc".repeat(random.nextInt(2_000))));
            return text + random.nextInt(3);
        }

        void call(List<PartitionedCache<Object, String>> processes) throws Exception {
            for (int i = 0; i < CALLS; i++) {
                // A copy in one process may be older than a write of the other one.
                call(isNear ? processes.get(0) : one(processes), random.nextInt(18));
            }
        }

        private void call(PartitionedCache<Object, String> cache, int which) throws Exception {
            Object key = key();
            Set<Object> keys = keys();
            String value = value();
            String present = map.get(key);
            String old = present != null && random.nextBoolean() ? present : value();
            switch (which) {
                case 0 -> {
                    cache.put(key, value);
                    map.put(key, value);
                }
                case 1 -> {
                    resultOf(cache.putAsync(key, value));
                    map.put(key, value);
                }
                case 2 -> same(which, cache.get(key), present);
                case 3 -> same(which, resultOf(cache.getAsync(key)), present);
                case 4 -> same(which, cache.getAll(keys), only(keys));
                case 5 -> same(which, cache.putIfAbsent(key, value), map.putIfAbsent(key, value) == null);
                case 6 -> same(which, cache.remove(key), map.remove(key) != null);
                case 7 -> same(which, cache.remove(key, old), map.remove(key, old));
                case 8 -> same(which, cache.replace(key, old, value), map.replace(key, old, value));
                case 9 -> same(which, cache.getAndPut(key, value), map.put(key, value));
                case 10 -> same(which, resultOf(cache.getAndRemoveAsync(key)), map.remove(key));
                case 11 -> same(which, cache.getAndReplace(key, value), map.replace(key, value));
                case 12 -> {
                    Map<Object, String> some = keys.stream().collect(Collectors.toMap(each -> each, each -> value()));
                    cache.putAll(some);
                    map.putAll(some);
                }
                case 13 -> {
                    cache.removeAll(keys);
                    map.keySet().removeAll(keys);
                }
                case 14 -> same(which, cache.containsKey(key), present != null);
                case 15 ->
                    same(
                            which,
                            cache.<String>invoke(key, (entry, more) -> exchange(entry, value)),
                            map.put(key, value));
                case 16 -> {
                    if (random.nextInt(4) == 0) {
                        cache.clear();
                        map.clear();
                    }
                }
                default -> {
                    if (!isHashed) {
                        same(which, listed(cache), map);
                    }
                }
            }
        }

        private static @Nullable String exchange(MutableEntry<Object, String> entry, String value) {
            String before = entry.getValue();
            entry.setValue(value);
            return before;
        }

        private static <R extends @Nullable Object> R resultOf(CompletionStage<R> stage) throws Exception {
            return stage.toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }

        private Map<Object, String> only(Set<Object> keys) {
            Map<Object, String> some = new HashMap<>(map);
            some.keySet().retainAll(keys);
            return some;
        }

        private static Map<Object, String> listed(Cache<Object, String> cache) {
            Map<Object, String> all = new HashMap<>();
            cache.forEach(entry ->
                    assertThat(all.put(entry.getKey(), entry.getValue())).isNull());
            return all;
        }

        private void same(int which, @Nullable Object answer, @Nullable Object expected) {
            assertThat(answer)
                    .as("call %d of a cache with %s, seed %d", which, options, seed)
                    .isEqualTo(expected);
        }
    }
}
