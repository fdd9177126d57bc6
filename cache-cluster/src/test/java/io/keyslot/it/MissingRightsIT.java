// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.event.EventGapListener;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.it.fault.Resp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryUpdatedListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user of the servers lacks a right that near caches need, or listeners: nothing else is other than with it. */
@SideBySide
@SuppressWarnings("NullAway.Init") // set before each test
class MissingRightsIT {
    private static final String NAME = "rates";
    private static final int KEYS = 10;

    private TestServers servers;
    private CacheManager writing;
    private Cache<String, String> writer;
    private LogLines log;

    @BeforeEach
    void open() {
        servers = TestServers.start(2);
        writing = KeyslotManagers.openPatiently("rights-writer", servers.uris());
        writer = writing.createCache(NAME, configuration());
        log = new LogLines();
    }

    @AfterEach
    void close() throws Exception {
        log.close();
        writing.close();
        servers.close();
    }

    private static PartitionedConfiguration<String, String> configuration() {
        return new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
    }

    private void setUser(String... rules) throws IOException {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "app"));
        command.addAll(List.of(rules));
        for (int port : servers.ports()) {
            assertThat(Resp.run(port, command.toArray(String[]::new))).isEqualTo("OK");
        }
    }

    private CacheManager openAs(String name) {
        List<String> uris = servers.uris().stream()
                .map(uri -> uri.replace("redis://", "redis://app:secret@"))
                .toList();
        return KeyslotManagers.openPatiently(name, uris);
    }

    private static boolean hasCopy(Cache<String, String> cache, String key) {
        @SuppressWarnings("unchecked")
        PartitionedCache<String, String> partitioned = cache.unwrap(PartitionedCache.class);
        return Objects.requireNonNull(partitioned.explain(key).near()).readAgo() != null;
    }

    private static Set<String> keys() {
        return IntStream.range(0, KEYS).mapToObj(i -> "k" + i).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource({
        "-client|tracking, CLIENT|TRACKING",
        "-client|caching, CLIENT|CACHING",
        "-pttl, PTTL",
        "resetkeys ~keyslot:[^n]* ~rates:*, one of the keys"
    })
    void nearCacheWithoutARight_readsPastItself_andSaysOnceWhatToGrant(String without, String missing)
            throws Exception {
        setUser("on", ">secret", "~*", "+@all");
        setUser(without.split(" "));
        try (CacheManager near = openAs("near-rights")) {
            Cache<String, String> reader = near.createCache(
                    NAME, configuration().setNear(NearOptions.ofEntries(100).withStaleness(Duration.ofMinutes(1))));

            for (int round = 0; round < 3; round++) {
                for (String key : keys()) {
                    writer.put(key, key + round);
                    assertThat(reader.get(key)).isEqualTo(key + round);
                    assertThat(reader.get(key)).isEqualTo(key + round);
                }
                assertThat(reader.getAll(keys()))
                        .allSatisfy((key, value) -> assertThat(value).startsWith(key));
            }
            await().until(() -> !log.with("near caches").isEmpty());

            assertThat(keys()).noneMatch(key -> hasCopy(reader, key));
            assertThat(log.with("near caches"))
                    .singleElement()
                    .asString()
                    .contains(missing)
                    .contains("ACL SETUSER <user> +client|tracking +client|caching +pttl ~keyslot:near:*");
        }
    }

    /** Writes down what it hears, and that it may have missed something. */
    private static final class Ear
            implements CacheEntryCreatedListener<String, String>,
                    CacheEntryUpdatedListener<String, String>,
                    EventGapListener {
        private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<EventGap> gaps = new ConcurrentLinkedQueue<>();

        @Override
        public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            events.forEach(event -> heard.add(event.getKey()));
        }

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
            events.forEach(event -> heard.add(event.getKey()));
        }

        @Override
        public void onGap(EventGap gap) {
            gaps.add(gap);
        }
    }

    @Test
    void listenerWithoutARight_receivesNothing_andAGapOnceItIsGranted() throws Exception {
        setUser("on", ">secret", "~*", "+@all", "-xinfo");
        try (CacheManager reading = openAs("hearing")) {
            Cache<String, String> cache = reading.createCache("fed", fed().setEvents(EventScope.FEED));
            Cache<String, String> others = writing.createCache("fed", fed());
            Ear ear = new Ear();
            cache.registerCacheEntryListener(
                    new MutableCacheEntryListenerConfiguration<>(() -> ear, null, false, false));

            others.put("missed", "1");
            assertThat(log.with("refuses to have its feed read"))
                    .hasSize(servers.ports().size())
                    .allMatch(line -> line.contains("the user may not use XINFO"));
            assertThat(ear.gaps).isEmpty();

            setUser("+xinfo");
            await().until(() -> ear.gaps.size() == servers.ports().size());
            others.put("heard", "1");
            await().until(() -> ear.heard.contains("heard"));
            assertThat(ear.heard).doesNotContain("missed");
        }
    }

    private static PartitionedConfiguration<String, String> fed() {
        return configuration().setFeed(FeedOptions.defaults().withValues(true));
    }
}
