// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CacheCountersTest {
    @Test
    void statistics_countWhileTheyAreOn() {
        CacheCounters counters = new CacheCounters(false);
        counters.lookup(true);
        counters.enable(true);
        counters.lookup(true);
        counters.enable(false);
        counters.lookup(true);

        assertThat(counters.hits()).isOne();
    }

    @Test
    void meters_countAlways_andAreNotCleared() {
        CacheCounters counters = new CacheCounters(false);
        counters.lookup(true);
        counters.lookup(false);
        counters.puts(2);
        counters.enable(true);
        counters.removals(3);
        counters.clear();

        assertThat(counters.removals()).isZero();
        assertThat(counters.meters().hits()).isOne();
        assertThat(counters.meters().misses()).isOne();
        assertThat(counters.meters().puts()).isEqualTo(2);
        assertThat(counters.meters().removals()).isEqualTo(3);
    }
}
