// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.MissCause;
import io.keyslot.client.traffic.CacheTraffic;
import io.keyslot.client.traffic.NearTraffic;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CacheTalliesTest {
    private final CacheTallies tallies = new CacheTallies();
    private final CacheCounters counters = new CacheCounters(false);

    private void load(boolean succeeded) {
        tallies.loads("customer", LoadObserver.NONE).onLoad(LoadCause.MISS, succeeded, 1);
    }

    @Test
    void news_areWhatHasHappenedSinceTheLastOnes() {
        tallies.show("customer", counters.meters());
        CacheTallies.MissCounter misses = tallies.misses("customer");
        counters.hits(3);
        counters.misses(2);
        misses.missed(MissCause.EXPIRED);
        misses.missed(MissCause.EXPIRED);
        load(true);
        load(false);

        assertThat(tallies.news())
                .containsExactly(new CacheTraffic("customer", 3, 2, Map.of(MissCause.EXPIRED, 2L), 2, 1, null));
        counters.hits(4);
        load(false);
        assertThat(tallies.news()).containsExactly(new CacheTraffic("customer", 4, 0, Map.of(), 1, 1, null));
        assertThat(tallies.news()).containsExactly(new CacheTraffic("customer", 0, 0, Map.of(), 0, 0, null));
    }

    /** Statistics may be set back to zero; what is told goes on. */
    @Test
    void clearedStatistics_areNoNews() {
        tallies.show("customer", counters.meters());
        counters.hits(3);
        List<CacheTraffic> before = tallies.news();
        counters.clear();
        counters.hits(1);

        assertThat(before.get(0).hits()).isEqualTo(3);
        assertThat(tallies.news().get(0).hits()).isEqualTo(1);
    }

    @Test
    void nearCache_isToldAsItIs_withItsNewHits() {
        tallies.show("customer", new NearCounts() {
            private long hits;

            @Override
            public long hits() {
                hits += 10;
                return hits;
            }

            @Override
            public long misses() {
                return 4;
            }

            @Override
            public long entries() {
                return 7;
            }

            @Override
            public long bytes() {
                return 700;
            }

            @Override
            public long staleMillis() {
                return 2_000;
            }
        });

        assertThat(tallies.news().get(0).near()).isEqualTo(new NearTraffic(10, 4, 7, 2_000));
        assertThat(tallies.news().get(0).near()).isEqualTo(new NearTraffic(10, 0, 7, 2_000));
    }

    @Test
    void closedCache_isForgotten_andAnotherOfItsName_beginsAnew() {
        tallies.show("customer", counters.meters());
        counters.hits(3);
        assertThat(tallies.news()).hasSize(1);
        tallies.remove("customer");
        assertThat(tallies.news()).isEmpty();

        CacheCounters others = new CacheCounters(false);
        others.hits(2);
        tallies.show("customer", others.meters());
        assertThat(tallies.news().get(0).hits()).isEqualTo(2);
    }

    @Test
    void newsInAnyOrder_sumUpToWhatHappened() {
        tallies.show("customer", counters.meters());
        CacheTallies.MissCounter misses = tallies.misses("customer");
        Random random = new Random(7);
        List<MissCause> causes = List.of(MissCause.values());
        long[] done = new long[4];
        long[] told = new long[4];
        for (int i = 0; i < 10_000; i++) {
            switch (random.nextInt(5)) {
                case 0 -> counters.lookup(true);
                case 1 -> misses.missed(causes.get(random.nextInt(causes.size())));
                case 2 -> load(true);
                case 3 -> load(false);
                default -> add(told);
            }
        }
        add(told);
        done[0] = counters.meters().hits();
        assertThat(told[0]).isEqualTo(done[0]);
        assertThat(told[1] + told[2] + done[0]).isLessThan(10_000).isGreaterThan(7_000);
        assertThat(told[3]).isPositive().isLessThan(told[2]);
        add(done);
        assertThat(done[1] + done[2] + done[3]).isZero();
    }

    private void add(long[] sums) {
        CacheTraffic news = tallies.news().get(0);
        sums[0] += news.hits();
        sums[1] += news.causes().values().stream().mapToLong(count -> count).sum();
        sums[2] += news.loads();
        sums[3] += news.failedLoads();
    }
}
