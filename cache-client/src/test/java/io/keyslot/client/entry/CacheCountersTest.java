// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.telemetry.CacheTelemetry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CacheCountersTest {
    @Test
    void statistics_countWhileTheyAreOn() {
        CacheCounters counters = new CacheCounters(false, CacheTelemetry.NONE);
        counters.lookup(true);
        counters.enable(true);
        counters.lookup(true);
        counters.enable(false);
        counters.lookup(true);

        assertThat(counters.hits()).isOne();
    }

    @Test
    void telemetry_receivesAllCounts() {
        List<String> received = new ArrayList<>();
        CacheCounters counters = new CacheCounters(false, new CacheTelemetry() {
            @Override
            public void onHits(long count) {
                received.add("hits " + count);
            }

            @Override
            public void onMisses(long count) {
                received.add("misses " + count);
            }

            @Override
            public void onPuts(long count) {
                received.add("puts " + count);
            }

            @Override
            public void onRemovals(long count) {
                received.add("removals " + count);
            }
        });
        counters.lookup(true);
        counters.lookup(false);
        counters.puts(2);
        counters.enable(true);
        counters.removals(3);
        counters.clear();

        assertThat(counters.removals()).isZero();
        assertThat(received).containsExactly("hits 1", "misses 1", "puts 2", "removals 3");
    }
}
