// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.event.EventGapListener;
import io.keyslot.cache.event.EventScope;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryUpdatedListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Slots get other owners while listeners hear of others. */
class EventsOfNewOwnersTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");

    private final List<Source> sources = new ArrayList<>();
    private final EmbeddedKeyslot keyslot = EmbeddedKeyslot.start(
            KeyslotSettings.defaults().withPartitions(2), (process, options) -> new Source(options));

    /** Where a process hears of what the test says. */
    private final class Source implements TopologySource {
        private final ClientOptions options;
        private Consumer<Layout> listener = layout -> {};

        Source(ClientOptions options) {
            this.options = options;
            sources.add(this);
        }

        @Override
        public Layout first() {
            return new Layout(SlotMap.ofEqualShares(1, List.of(P1, P2)), options.partitions());
        }

        @Override
        public void listen(Consumer<Layout> told) {
            listener = told;
        }

        @Override
        public void close() {
            listener = layout -> {};
        }

        void swap() {
            listener.accept(new Layout(SlotMap.ofEqualShares(2, List.of(P2, P1)), options.partitions()));
        }
    }

    /** What was heard. */
    private static final class Ear implements CacheEntryUpdatedListener<String, Integer>, EventGapListener {
        private final List<Integer> heard = new ArrayList<>();
        private final List<EventGap.Reason> gaps = new ArrayList<>();

        @Override
        public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> events) {
            events.forEach(event -> heard.add(event.getValue()));
        }

        @Override
        public void onGap(EventGap gap) {
            gaps.add(gap.reason());
        }
    }

    @AfterEach
    void close() {
        keyslot.close();
    }

    private PartitionedCache<String, Integer> cache(int process) {
        return keyslot.cacheManager(process)
                .createCache("prices", new PartitionedConfiguration<String, Integer>().setEvents(EventScope.KEYS));
    }

    @Test
    void newOwnerTells_andTheChangeOfOwnersIsAGap() {
        Ear ear = new Ear();
        cache(0).registerCacheEntryListener(
                        new MutableCacheEntryListenerConfiguration<>(() -> ear, null, false, false));
        PartitionedCache<String, Integer> others = cache(1);
        others.put("k", 1);
        keyslot.advance(Duration.ofSeconds(1));
        assertThat(ear.heard).containsExactly(1);
        assertThat(ear.gaps).isEmpty();

        sources.forEach(Source::swap);
        others.put("k", 2);
        keyslot.advance(Duration.ofSeconds(1));

        assertThat(ear.heard).containsExactly(1, 2);
        assertThat(ear.gaps).containsExactly(EventGap.Reason.MAP);
    }

    /** It is not known here yet that the new owner is one. */
    @Test
    void whatTheNewOwnerSaysTooEarly_isInTheGap() {
        Ear ear = new Ear();
        cache(0).registerCacheEntryListener(
                        new MutableCacheEntryListenerConfiguration<>(() -> ear, null, false, false));
        PartitionedCache<String, Integer> others = cache(1);

        sources.get(1).swap();
        others.put("k", 1);
        keyslot.advance(Duration.ofSeconds(1));
        assertThat(ear.heard).isEmpty();
        sources.get(0).swap();
        keyslot.advance(Duration.ofSeconds(1));

        assertThat(ear.gaps).containsExactly(EventGap.Reason.MAP);
    }
}
