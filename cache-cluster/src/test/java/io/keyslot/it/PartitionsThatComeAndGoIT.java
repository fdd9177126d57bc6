// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.read.PartitionUriParser;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An instance is added, and another one taken away, while an application works. Its source of layouts is the test. */
@Tag("thorough")
@SuppressWarnings("NullAway.Init") // set before each test
@SideBySide
class PartitionsThatComeAndGoIT {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final PartitionId P3 = new PartitionId("p3");
    private static final int CALLERS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Source source = new Source();
    private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    private final RedisClient client = RedisClient.create();
    private final List<StatefulRedisConnection<String, String>> plain = new ArrayList<>();
    private TestServers servers;
    private KeyslotCachingProvider provider;
    private PartitionedCacheManager manager;
    private Cache<String, Integer> cache;

    /** A source that tells what the test says. */
    @SuppressWarnings("NullAway.Init") // set before it is asked
    private static final class Source implements TopologySource {
        private volatile Consumer<Layout> listener = layout -> {};
        private volatile ClientOptions options;

        @Override
        public Layout first() {
            return new Layout(options.slotMap(), options.partitions());
        }

        @Override
        public void listen(Consumer<Layout> told) {
            listener = told;
        }

        void tell(Layout layout) {
            listener.accept(layout);
        }

        @Override
        public void close() {
            listener = layout -> {};
        }
    }

    @BeforeEach
    void open() {
        servers = TestServers.start(3);
        servers.uris().forEach(uri -> plain.add(client.connect(RedisURI.create(uri))));
        provider = new KeyslotCachingProvider(new ClientAssembly(options -> {
            source.options = options;
            return source;
        }));
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty("keyslot.partitions", servers.uri(0) + "," + servers.uri(1));
        manager = provider.getCacheManager(URI.create("moving"), getClass().getClassLoader(), properties)
                .unwrap(PartitionedCacheManager.class);
        cache = manager.createCache(
                "numbers", new MutableConfiguration<String, Integer>().setTypes(String.class, Integer.class));
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        provider.close();
        servers.close();
    }

    @Test
    void callersGoOn_andSlotsThatHaveNotMovedKeepTheirEntries() throws Exception {
        AtomicBoolean goesOn = new AtomicBoolean(true);
        Map<String, Integer> last = new ConcurrentHashMap<>();
        List<Future<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int number = i;
            callers.add(threads.submit(() -> work(number, goesOn, last)));
        }

        source.tell(layout(
                2,
                Map.of(
                        P1,
                        new SlotRange(0, 8191),
                        P2,
                        new SlotRange(8192, 12_287),
                        P3,
                        new SlotRange(12_288, 16_383))));
        await(() -> manager.slotMap().version() == 2);
        await(() -> keysAt(2) > 0);
        source.tell(layout(3, Map.of(P2, new SlotRange(0, 12_287), P3, new SlotRange(12_288, 16_383))));
        await(() -> manager.slotMap().version() == 3);
        await(() -> connectionsTo(0) == 0);
        goesOn.set(false);

        for (Future<Integer> caller : callers) {
            assertThat(caller.get(20, TimeUnit.SECONDS)).as("calls").isPositive();
        }
        assertThat(manager.partitions().stream().map(PartitionStatus::id)).containsExactly(P2, P3);
        last.forEach((key, value) -> {
            int slot = HashSlot.of("numbers:" + key);
            if (slot >= 8192) { // owned by p2 all the time, or by p3 since the value was written or a miss
                Integer found = cache.get(key);
                assertThat(found == null && slot >= 12_288 ? value : found).isEqualTo(value);
            }
        });
    }

    @Test
    void connectionThatIsMadeAnew_isMadeWithTheMapOfNow() throws Exception {
        cache.put("a", 1);
        source.tell(layout(2, Map.of(P1, new SlotRange(0, 8191), P2, new SlotRange(8192, 16_383))));
        await(() -> manager.slotMap().version() == 2);
        for (int i = 0; i < 2; i++) {
            assertThat(commanded(i, "CLIENT", "KILL")).isNotEmpty();
        }

        cache.put("b", 2);
        assertThat(List.of(cache.get("a"), cache.get("b"))).containsExactly(1, 2);
        await(() -> commanded(0, "CLIENT", "LIST").contains(":2 ")
                && commanded(1, "CLIENT", "LIST").contains(":2 "));
        await(() -> commanded(1, "HGET", "keyslot:meta", "map:").startsWith("v2 p2 8192-16383"));
    }

    /** Puts what only this thread puts, and finds it again, whatever happens to the partitions. */
    private Integer work(int number, AtomicBoolean goesOn, Map<String, Integer> last) {
        int calls = 0;
        while (goesOn.get() && !Thread.currentThread().isInterrupted()) {
            String key = number + "-" + calls % 50;
            cache.put(key, calls);
            last.put(key, calls);
            calls++;
        }
        return calls;
    }

    private Layout layout(long version, Map<PartitionId, SlotRange> ranges) {
        Map<PartitionId, List<SlotRange>> owned = new LinkedHashMap<>();
        List<PartitionOptions> partitions = new ArrayList<>();
        for (PartitionId id : List.of(P1, P2, P3)) {
            SlotRange range = ranges.get(id);
            if (range != null) {
                owned.put(id, List.of(range));
                PartitionUri uri = PartitionUriParser.uri(
                        servers.uri(Integer.parseInt(id.name().substring(1)) - 1));
                partitions.add(new PartitionOptions(id, uri, 1, List.of()));
            }
        }
        return new Layout(new SlotMap(version, owned), partitions);
    }

    private int keysAt(int server) {
        return (int) commanded(server, "KEYS", "numbers:*").lines().count();
    }

    private int connectionsTo(int server) {
        return (int) commanded(server, "CLIENT", "LIST")
                .lines()
                .filter(line -> line.contains("name=keyslot:"))
                .count();
    }

    private String commanded(int server, String... words) {
        RedisCommands<String, String> redis = plain.get(server).sync();
        return switch (words[0] + " " + words[1]) {
            case "CLIENT LIST" -> redis.clientList();
            case "CLIENT KILL" ->
                String.valueOf(redis.clientKill(KillArgs.Builder.typeNormal().skipme(true)));
            case "KEYS numbers:*" -> String.join("\n", redis.keys(words[1]));
            default -> String.valueOf(redis.hget(words[1], words[2]));
        };
    }

    private static void await(BooleanSupplier condition) {
        Instant end = Instant.now().plus(LIMIT);
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).isBefore(end);
            Thread.onSpinWait();
        }
    }
}
