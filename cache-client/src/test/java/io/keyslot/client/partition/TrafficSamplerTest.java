// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keyslot.client.concurrent.LatencyHistogram;
import io.keyslot.client.partition.TrafficReport.CacheCalls;
import io.keyslot.client.partition.TrafficReport.Slot;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficSamplerTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final EncodedKey KEY = EncodedKey.of("customer:1");

    private final TrafficSampler sampler = new TrafficSampler();

    private void call(int slot, long bytes, EncodedKey key) {
        if (sampler.chooses()) {
            sampler.count(slot, bytes, key, 1_000);
        }
    }

    private Map<PartitionId, TrafficReport> take() {
        return sampler.take(60_000, KeySlots.HASHED, slot -> Optional.of(P1), List.of(P1, P2), 7);
    }

    private List<Slot> slots() {
        return take().values().stream()
                .flatMap(report -> report.slots().stream())
                .toList();
    }

    /** Whatever the mixture is: each slot's calls and bytes are found, as far as one in sixteen can tell. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void sample_isOfAllCalls(long seed) {
        Random random = new Random(seed);
        int[] slots = random.ints(40, 0, 1 << 16).distinct().toArray();
        long[] calls = new long[slots.length];
        for (int i = 0; i < 400_000; i++) {
            int which = (int) Math.min(slots.length - 1, Math.abs(random.nextGaussian()) * 10);
            calls[which]++;
            call(slots[which], 100 + which, KEY);
        }

        List<Slot> taken = slots();

        assertThat(taken).extracting(Slot::slot).doesNotHaveDuplicates();
        for (int i = 0; i < slots.length; i++) {
            int slot = slots[i];
            Slot found = taken.stream()
                    .filter(each -> each.slot() == slot)
                    .findFirst()
                    .orElse(new Slot(slot, 0, 0));
            // Seven times the deviation of such a sample.
            assertThat((double) found.calls())
                    .isCloseTo((double) calls[i], within(7 * Math.sqrt(TrafficSampler.ONE_IN * (calls[i] + 1.0)) + 16));
            assertThat(found.bytes()).isEqualTo(found.calls() * (100 + i));
        }
        assertThat(slots()).isEmpty();
    }

    /** Also the partition without calls gets them, as it may be the only one that answers. */
    @Test
    void totals_areInTheReportsToAllPartitions_onceEach() {
        sampler.count(1, 10, KEY, 1_000_000);
        sampler.cache("customer").hits().add(3);
        sampler.cache("customer").misses().add(1);
        sampler.cache("audit").puts().add(2);
        sampler.cache("closed").loads().add(1);
        sampler.forget("closed");

        Map<PartitionId, TrafficReport> reports = take();

        assertThat(reports).containsOnlyKeys(P1, P2);
        assertThat(reports.values()).extracting(TrafficReport::totals).allSatisfy(totals -> {
            assertThat(totals.caches())
                    .containsExactly(new CacheCalls("customer", 3, 1, 0, 0, 0), new CacheCalls("audit", 0, 0, 2, 0, 0));
            assertThat(totals.pendingDeletes()).isEqualTo(7);
            LatencyHistogram latencies = new LatencyHistogram();
            latencies.add(totals.latencies());
            assertThat(latencies.count()).isEqualTo(1);
            assertThat(latencies.longest()).isBetween(1_000_000L, 1_020_000L);
        });
        assertThat(Objects.requireNonNull(take().get(P1)).totals().caches()).allMatch(cache -> cache.all() == 0);
        assertThat(Objects.requireNonNull(take().get(P1)).totals().latencies()).isEmpty();
    }

    /** A call that is counted during a report is in that or in the next one: never twice, and never lost. */
    @Test
    void takingWhileOthersCount_losesNothing() throws Exception {
        int threads = 4;
        int each = 50_000;
        long taken = 0;
        CountDownLatch running = new CountDownLatch(threads);
        for (int thread = 0; thread < threads; thread++) {
            int own = thread;
            new Thread(() -> {
                        for (int i = 0; i < each; i++) {
                            sampler.count((i * 7 + own) % 1_000, 1, KEY, 1_000);
                        }
                        running.countDown();
                    })
                    .start();
        }
        while (running.getCount() > 0) {
            taken += slots().stream().mapToLong(Slot::calls).sum();
        }
        taken += slots().stream().mapToLong(Slot::calls).sum();

        assertThat(taken).isEqualTo((long) threads * each * TrafficSampler.ONE_IN);
    }
}
