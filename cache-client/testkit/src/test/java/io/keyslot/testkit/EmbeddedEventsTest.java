// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import org.junit.jupiter.api.Test;

/** What listeners hear of what happens by itself, where the partitions are in the process. */
class EmbeddedEventsTest {
    private static final Duration LIFETIME = Duration.ofSeconds(5);

    /** An entry is looked for about a second after it has expired. */
    private static final Duration UNTIL_TOLD = Duration.ofSeconds(3);

    /** What was heard, with the second in which it was. */
    private static final class Ear
            implements CacheEntryUpdatedListener<String, Integer>, CacheEntryRemovedListener<String, Integer> {
        private final List<String> heard = new ArrayList<>();

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
            events.forEach(event -> heard.add(event.getKey() + " is " + event.getValue()));
        }

        @Override
        public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
            events.forEach(event -> heard.add(event.getKey() + " is gone"));
        }
    }

    @Test
    void entryThatExpires_isTold_thoughNobodyLooksForIt() {
        try (EmbeddedKeyslot keyslot =
                EmbeddedKeyslot.start(KeyslotSettings.defaults().withPartitions(2))) {
            Ear ear = new Ear();
            PartitionedCache<String, Integer> invalidation = keyslot.cacheManager(0)
                    .createCache("prices", new PartitionedConfiguration<String, Integer>().setEvents(EventScope.KEYS));
            invalidation.registerCacheEntryListener(
                    new MutableCacheEntryListenerConfiguration<>(() -> ear, null, false, false));
            PartitionedCache<String, Integer> others =
                    keyslot.cacheManager(1).createCache("prices", new PartitionedConfiguration<String, Integer>());

            others.put("short", 1, LIFETIME);
            others.put("long", 2, Duration.ofHours(1));
            invalidation.put("own", 3, LIFETIME);
            keyslot.advance(LIFETIME.minusMillis(10));
            assertThat(ear.heard).containsExactlyInAnyOrder("short is 1", "long is 2");
            keyslot.advance(UNTIL_TOLD);

            assertThat(ear.heard).containsExactlyInAnyOrder("short is 1", "long is 2", "short is gone", "own is gone");
        }
    }

    /** What a transaction of this process has stored has its stamp; nobody here notes what it removes. */
    @Test
    void ownTransactions_areToldNobody_butForWhatTheyRemove() {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            Ear ear = new Ear();
            PartitionedConfiguration<String, Integer> configuration = new PartitionedConfiguration<>();
            configuration.setGroupedBy("customer").setEvents(EventScope.KEYS);
            PartitionedCache<String, Integer> cache = keyslot.cacheManager().createCache("orders", configuration);
            cache.registerCacheEntryListener(
                    new MutableCacheEntryListenerConfiguration<>(() -> ear, null, false, false));

            cache.group("99")
                    .transactWithoutResult(group -> group.entries(cache).put("99", 1));
            keyslot.advance(UNTIL_TOLD);
            assertThat(ear.heard).isEmpty();
            cache.group("99")
                    .transactWithoutResult(group -> group.entries(cache).remove("99"));
            keyslot.advance(UNTIL_TOLD);

            assertThat(ear.heard).containsExactly("99 is gone");
        }
    }

    /** What was stored between two removals was not heard, and was found by whoever looked anew: the second removal is news. */
    @Test
    void removalBehindAGap_isTold_thoughTheLastWordWasARemoval() {
        try (EmbeddedKeyslot keyslot = EmbeddedKeyslot.start()) {
            Ear ear = new Ear();
            PartitionedCache<String, Integer> invalidation = keyslot.cacheManager(0)
                    .createCache("prices", new PartitionedConfiguration<String, Integer>().setEvents(EventScope.KEYS));
            invalidation.registerCacheEntryListener(
                    new MutableCacheEntryListenerConfiguration<>(() -> ear, null, false, false));
            PartitionedCache<String, Integer> others =
                    keyslot.cacheManager(1).createCache("prices", new PartitionedConfiguration<String, Integer>());
            others.put("a", 1);
            keyslot.advance(UNTIL_TOLD);
            others.remove("a");
            keyslot.advance(UNTIL_TOLD);

            keyslot.partitions().forEach(partition -> partition.cut(0));
            others.put("a", 2);
            keyslot.advance(Duration.ofSeconds(30));
            keyslot.partitions().forEach(partition -> partition.mend(0).resetConnections());
            keyslot.advance(Duration.ofSeconds(30));
            others.remove("a");
            keyslot.advance(UNTIL_TOLD);

            assertThat(ear.heard).startsWith("a is 1", "a is gone").endsWith("a is gone");
            assertThat(ear.heard.stream().filter("a is gone"::equals)).hasSize(2);
        }
    }
}
