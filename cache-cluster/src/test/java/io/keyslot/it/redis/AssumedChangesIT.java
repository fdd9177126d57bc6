// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.KeyslotManagers;
import io.keyslot.it.SideBySide;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes that depend on what is there, of entries that one process changes alone, or two in turn: what is assumed saves reads, and is
 * never what a caller hears.
 */
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class AssumedChangesIT {
    private static final int CALLS = 1_500;
    private static final int LONGEST = 300;
    private static final String PIECE = "x".repeat(100);
    private static final Pattern GETS = Pattern.compile("cmdstat_get:calls=(\\d+)");
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    private static final EntryProcessor<String, String, String> APPEND = (entry, arguments) -> {
        String longer = (entry.exists() ? entry.getValue() : "") + PIECE;
        entry.setValue(longer);
        return longer;
    };

    private static final EntryProcessor<String, String, String> SET_UNLESS_LONG_ONE = (entry, arguments) -> {
        String before = entry.getValue();
        if (isLong(before)) {
            throw new IllegalStateException(before);
        }
        entry.setValue("s" + before);
        return before;
    };

    private static final EntryProcessor<String, String, String> REMOVE_LONG_ONE = (entry, arguments) -> {
        String before = entry.getValue();
        if (!isLong(before)) {
            return "left";
        }
        entry.remove();
        return before;
    };

    private final List<CacheManager> managers = new ArrayList<>();
    private final List<Cache<String, String>> caches = new ArrayList<>();
    private TestServers servers;
    private RedisClient client;
    private StatefulRedisConnection<String, String> plain;

    @BeforeEach
    void open() {
        servers = TestServers.start(1);
        client = RedisClient.create(servers.uri(0));
        plain = client.connect();
        for (String name : List.of("first", "second")) {
            CacheManager manager = KeyslotManagers.openPatiently(name, servers.uris());
            managers.add(manager);
            PartitionedConfiguration<String, String> configuration = new PartitionedConfiguration<>();
            configuration.setTypes(String.class, String.class);
            // With what a text takes besides its letters; a fourth piece is too much.
            configuration.setLimits(EntryLimits.defaults().withValueBytes(LONGEST + 90));
            caches.add(manager.createCache("texts", configuration));
        }
    }

    @AfterEach
    void close() throws Exception {
        managers.forEach(CacheManager::close);
        client.shutdown();
        servers.close();
    }

    private static boolean isLong(@Nullable String value) {
        return value != null && value.length() > 2;
    }

    private int count(Pattern command) {
        Matcher calls = command.matcher(plain.sync().info("commandstats"));
        return calls.find() ? Integer.parseInt(calls.group(1)) : 0;
    }

    private void change(int manager, String key) {
        caches.get(manager).invoke(key, (entry, arguments) -> {
            entry.setValue(entry.exists() ? "again" : "new");
            return null;
        });
    }

    @Test
    void whoChangesAnEntryAlone_readsItTwice() {
        int gets = count(GETS);
        for (int i = 0; i < 20; i++) {
            change(0, "k");
        }

        assertThat(count(GETS)).isEqualTo(gets + 2);
    }

    @Test
    void whoPutsInBetween_isWrongAboutNothing() {
        change(0, "another"); // the server knows the script from here on
        int gets = count(GETS);
        for (int i = 0; i < 20; i++) {
            caches.get(0).put("k", "put");
            int scripts = count(SCRIPTS);
            change(0, "k");
            assertThat(count(SCRIPTS)).isEqualTo(scripts + 1);
        }

        assertThat(count(GETS)).isEqualTo(gets + 20);
    }

    @Test
    void twoInTurn_assumeNothing() {
        change(0, "k");
        change(1, "k");
        int gets = count(GETS);
        int scripts = count(SCRIPTS);
        for (int i = 0; i < 40; i++) {
            change(i % 2, "k");
        }

        assertThat(count(GETS)).isEqualTo(gets + 40);
        assertThat(count(SCRIPTS)).isEqualTo(scripts + 40);
    }

    /** What a processor does to its entry, after those that it calls for other entries. */
    private enum Effect {
        SET,
        SET_AGAIN,
        SET_WHAT_IS_TOO_LONG,
        READ,
        REMOVE,
        FAIL
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void processorOfEntriesThatOneProcessChangesAlone_runsOnce(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < CALLS / 3; i++) {
            List<Effect> effects = random.ints(1 + random.nextInt(4), 0, Effect.values().length)
                    .mapToObj(number -> Effect.values()[number])
                    .toList();
            List<String> runs = new ArrayList<>();
            try {
                process(effects, 0, runs);
            } catch (CacheException e) {
                // a processor failed, or its value is too long
            }

            assertThat(runs)
                    .as("%d: %s, seed %d", i, effects, seed)
                    .doesNotHaveDuplicates()
                    .isNotEmpty();
        }
    }

    private void process(List<Effect> effects, int level, List<String> runs) {
        if (level == effects.size()) {
            return;
        }
        caches.get(0).invoke("k" + level, (entry, arguments) -> {
            runs.add(entry.getKey());
            process(effects, level + 1, runs);
            switch (effects.get(level)) {
                case SET, SET_AGAIN -> entry.setValue(PIECE);
                case SET_WHAT_IS_TOO_LONG -> entry.setValue(PIECE.repeat(5));
                case READ -> entry.getValue();
                case REMOVE -> entry.remove();
                case FAIL -> throw new IllegalStateException("the processor fails");
            }
            return null;
        });
    }

    /** One call after the other, so that there is one right answer to each. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void randomCalls_areAnsweredByWhatIsThere(long seed) {
        Random random = new Random(seed);
        Map<String, String> expected = new HashMap<>();
        int manager = 0;
        for (int i = 0; i < CALLS; i++) {
            manager = random.nextInt(6) == 0 ? 1 - manager : manager;
            String key = "k" + random.nextInt(3);
            Call call = Call.values()[random.nextInt(Call.values().length)];
            String argument = random.nextInt(3) == 0 ? "a" : expected.getOrDefault(key, "b");
            String of = "%d: %s of %s by %d, seed %d".formatted(i, call, key, manager, seed);

            assertThat(call.onCache.outcome(caches.get(manager), key, argument))
                    .as(of)
                    .isEqualTo(call.onMap.outcome(expected, key, argument));
        }
        Map<String, String> found = new HashMap<>();
        caches.get(0).forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        assertThat(found).isEqualTo(expected);
    }

    /** A call of a cache, and the same of a map. */
    @SuppressWarnings("ImmutableEnumChecker") // what is called has no fields
    private enum Call {
        APPEND_A_PIECE((cache, key, argument) -> cache.invoke(key, APPEND), (map, key, argument) -> {
            String longer = map.getOrDefault(key, "") + PIECE;
            if (longer.length() > LONGEST + 50) {
                throw new LimitExceededException("too long");
            }
            map.put(key, longer);
            return longer;
        }),
        READ(
                (cache, key, argument) -> cache.invoke(key, (entry, arguments) -> entry.getValue()),
                (map, key, argument) -> map.get(key)),
        SET_UNLESS_LONG((cache, key, argument) -> cache.invoke(key, SET_UNLESS_LONG_ONE), (map, key, argument) -> {
            String before = map.get(key);
            if (isLong(before)) {
                throw new EntryProcessorException(new IllegalStateException(before));
            }
            map.put(key, "s" + before);
            return before;
        }),
        REMOVE_IF_LONG(
                (cache, key, argument) -> cache.invoke(key, REMOVE_LONG_ONE),
                (map, key, argument) -> isLong(map.get(key)) ? map.remove(key) : "left"),
        REPLACE_IF_EQUAL(
                (cache, key, argument) -> cache.replace(key, argument, "r"),
                (map, key, argument) -> map.replace(key, argument, "r")),
        REMOVE_IF_EQUAL(
                (cache, key, argument) -> cache.remove(key, argument),
                (map, key, argument) -> map.remove(key, argument)),
        GET_AND_REPLACE(
                (cache, key, argument) -> cache.getAndReplace(key, "g"), (map, key, argument) -> map.replace(key, "g")),
        GET_AND_PUT((cache, key, argument) -> cache.getAndPut(key, "p"), (map, key, argument) -> map.put(key, "p")),
        PUT_IF_ABSENT(
                (cache, key, argument) -> cache.putIfAbsent(key, "i"),
                (map, key, argument) -> map.putIfAbsent(key, "i") == null),
        PUT(
                (cache, key, argument) -> {
                    cache.put(key, "b");
                    return null;
                },
                (map, key, argument) -> {
                    map.put(key, "b");
                    return null;
                });

        private final On<Cache<String, String>> onCache;
        private final On<Map<String, String>> onMap;

        Call(On<Cache<String, String>> onCache, On<Map<String, String>> onMap) {
            this.onCache = onCache;
            this.onMap = onMap;
        }
    }

    /** What is called. */
    private interface On<C> {
        @Nullable
        Object call(C store, String key, String argument);

        /** Returns what it answered, or why it did not. */
        default String outcome(C store, String key, String argument) {
            try {
                return "answered " + call(store, key, argument);
            } catch (EntryProcessorException e) {
                return "failed with " + e.getCause();
            } catch (LimitExceededException e) {
                return "too long";
            }
        }
    }
}
