// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.event.EventGapListener;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.feed.FeedOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Listeners receive the changes of all processes from the feed, where the partitions are in the process. */
class EmbeddedEventsTest {
    private static final Duration WHILE = Duration.ofSeconds(3);

    @AutoClose
    private final EmbeddedKeyslot keyslot =
            EmbeddedKeyslot.start(KeyslotSettings.defaults().withPartitions(2));

    /** What was received. */
    private static class Ear
            implements CacheEntryUpdatedListener<String, Integer>,
                    CacheEntryRemovedListener<String, Integer>,
                    CacheEntryExpiredListener<String, Integer>,
                    EventGapListener {
        private final List<String> heard = new ArrayList<>();

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
            events.forEach(event -> heard.add(event.getKey() + " is " + event.getValue()));
        }

        @Override
        public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
            events.forEach(event -> heard.add(event.getKey() + " is gone"));
        }

        @Override
        public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
            events.forEach(event -> heard.add(event.getKey() + " has expired"));
        }

        @Override
        public void onGap(EventGap gap) {
            heard.add("gap of " + gap.partition());
        }
    }

    private static PartitionedConfiguration<String, Integer> configuration() {
        return new PartitionedConfiguration<String, Integer>()
                .setGroupedBy("customer")
                .setFeed(FeedOptions.defaults().withValues(true))
                .setEvents(EventScope.FEED);
    }

    private PartitionedCache<String, Integer> cache(int process) {
        return keyslot.cacheManager(process).createCache("order", configuration());
    }

    private static CacheEntryListenerConfiguration<String, Integer> asynchronous(Ear ear) {
        return new MutableCacheEntryListenerConfiguration<>(() -> ear, null, false, false);
    }

    @Test
    void changesOfAllProcesses_areReceivedInOrder_andExpiryIsNone() {
        Ear ear = new Ear();
        PartitionedCache<String, Integer> own = cache(0);
        PartitionedCache<String, Integer> others = cache(1);
        others.put("before", 1);
        own.registerCacheEntryListener(asynchronous(ear));

        own.put("a", 1);
        others.put("a", 2, Duration.ofSeconds(2));
        keyslot.advance(WHILE);
        own.group("b").transactWithoutResult(group -> group.entries(own).put("b", 3));
        others.group("b").hash("prices", String.class, Integer.class).put("x", 1);
        others.clear();
        keyslot.advance(WHILE);

        assertThat(ear.heard.stream().filter(heard -> heard.startsWith("a"))).containsExactly("a is 1", "a is 2");
        assertThat(ear.heard.stream().filter(heard -> heard.startsWith("b")))
                .containsExactlyInAnyOrder("b is 3", "b is gone", "before is gone");
        assertThat(ear.heard).hasSize(5);
    }

    @Test
    void listenersThatAreRemoved_receiveNothing_andThoseOfALaterRegistrationWhatFollows() {
        Ear first = new Ear();
        Ear second = new Ear();
        PartitionedCache<String, Integer> cache = cache(0);
        CacheEntryListenerConfiguration<String, Integer> registered = asynchronous(first);
        cache.registerCacheEntryListener(registered);
        cache.put("a", 1);
        keyslot.advance(WHILE);
        cache.deregisterCacheEntryListener(registered);
        cache.put("a", 2);
        keyslot.advance(WHILE);
        cache.registerCacheEntryListener(asynchronous(second));
        cache.put("a", 3);
        keyslot.advance(WHILE);

        assertThat(first.heard).containsExactly("a is 1");
        assertThat(second.heard).containsExactly("a is 3");
    }

    @Test
    void partitionThatIsLost_isAGap_evenIfNothingWasReadOfItBefore() {
        Ear ear = new Ear();
        PartitionedCache<String, Integer> cache = cache(0);
        cache.registerCacheEntryListener(asynchronous(ear));
        keyslot.advance(WHILE);
        assertThat(ear.heard).isEmpty();

        keyslot.partitions().get(0).restartEmpty();
        keyslot.advance(WHILE);
        assertThat(ear.heard).containsExactly("gap of p1");
        cache.put("a", 1);
        cache.put("b", 2);
        cache.put("c", 3);
        keyslot.advance(WHILE);

        assertThat(ear.heard).containsExactlyInAnyOrder("gap of p1", "a is 1", "b is 2", "c is 3");
    }

    @Test
    void listenerThatFailsAtAGap_isCalledAgainBeforeTheNextChange() {
        boolean[] fails = {true};
        Ear ear = new Ear() {
            @Override
            public void onGap(EventGap gap) {
                super.onGap(gap);
                if (fails[0]) {
                    throw new IllegalStateException("of the listener");
                }
            }
        };
        PartitionedCache<String, Integer> cache = cache(0);
        cache.registerCacheEntryListener(asynchronous(ear));
        keyslot.partitions().get(0).restartEmpty();
        keyslot.advance(WHILE);
        assertThat(ear.heard).containsExactly("gap of p1");
        fails[0] = false;
        cache.put("a", 1);
        keyslot.advance(WHILE);
        cache.put("a", 2);
        keyslot.advance(WHILE);

        assertThat(ear.heard).containsExactly("gap of p1", "gap of p1", "a is 1", "a is 2");
    }

    @Test
    void partitionThatIsMissingAtTheRegistration_isAGapWhenItIsBack() {
        Ear ear = new Ear();
        PartitionedCache<String, Integer> cache = cache(0);
        keyslot.partitions().get(1).cut(0);
        cache.registerCacheEntryListener(asynchronous(ear));
        keyslot.advance(WHILE);
        assertThat(ear.heard).isEmpty();

        keyslot.partitions().get(1).mend(0).resetConnections();
        keyslot.advance(Duration.ofSeconds(30));

        assertThat(ear.heard).containsExactly("gap of p2");
    }

    @Test
    void cacheWithoutAFeedWithValues_isRefused() {
        PartitionedConfiguration<String, Integer> without = configuration().setFeed(FeedOptions.defaults());

        assertThatThrownBy(() -> keyslot.cacheManager().createCache("order", without))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cache order: events is feed, but the cache has no feed with values;"
                        + " set feed with values: true, or leave events out");
        assertThat(keyslot.cacheManager().getCacheNames()).isEmpty();
    }

    @Test
    void oldValues_areRefused_exceptForSynchronousListeners() {
        PartitionedCache<String, Integer> cache = cache(0);
        Ear ear = new Ear();

        assertThatThrownBy(() -> cache.registerCacheEntryListener(
                        new MutableCacheEntryListenerConfiguration<>(() -> ear, null, true, false)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("requires old values, which a feed does not have");
        cache.registerCacheEntryListener(new MutableCacheEntryListenerConfiguration<>(() -> ear, null, true, true));
        cache.put("a", 1);
        cache.put("a", 2);
        assertThat(ear.heard).containsExactly("a is 2");
    }
}
