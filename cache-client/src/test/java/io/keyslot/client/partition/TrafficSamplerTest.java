// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keyslot.client.partition.TrafficReport.Named;
import io.keyslot.client.partition.TrafficReport.Slot;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficSamplerTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final EncodedKey KEY = EncodedKey.of("customer:1");

    private final TrafficSampler sampler = new TrafficSampler(new Random(7));

    private void call(int slot, long bytes, EncodedKey key) {
        if (sampler.chooses(slot)) {
            sampler.count(slot, bytes, key);
        }
    }

    private Map<PartitionId, TrafficReport> take() {
        return sampler.take(60_000, KeySlots.HASHED, slot -> Optional.of(P1));
    }

    private List<Slot> slots() {
        return take().values().stream()
                .flatMap(report -> report.slots().stream())
                .toList();
    }

    @Test
    void nothingCounted_isNoReport() {
        assertThat(take()).isEmpty();
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
            // Five times the deviation of such a sample.
            assertThat((double) found.calls())
                    .isCloseTo((double) calls[i], within(5 * Math.sqrt(TrafficSampler.ONE_IN * (calls[i] + 1.0)) + 16));
            assertThat(found.bytes()).isEqualTo(found.calls() * (100 + i));
        }
        assertThat(take()).isEmpty();
    }

    /** A count of each sixteenth call would count one of these two only. */
    @Test
    void rhythmOfTheCaller_doesNotShow() {
        for (int i = 0; i < 100_000; i++) {
            call(64, 1, KEY); // these two share a die
            call(128, 1, KEY);
        }

        assertThat(slots())
                .hasSize(2)
                .allSatisfy(slot -> assertThat((double) slot.calls()).isCloseTo(100_000, within(10_000.0)));
    }

    @Test
    void slotsBeyondTheLast_areLeftOut() {
        sampler.count(1 << 16, 1, KEY);
        sampler.count(-1, 1, KEY);
        sampler.count((1 << 16) - 1, 1, KEY);

        assertThat(slots()).extracting(Slot::slot).containsExactly((1 << 16) - 1);
    }

    @Test
    void whatMoves_isReportedToItsOwnerOfNow_andToNoneIfThereIsNone() {
        EncodedKey key = EncodedKey.of("order:17");
        for (int slot : new int[] {1, 2, 3}) {
            sampler.count(slot, 10, key);
        }

        Map<PartitionId, TrafficReport> reports = sampler.take(
                60_000, KeySlots.HASHED, slot -> slot == 3 ? Optional.empty() : Optional.of(slot == 1 ? P1 : P2));

        assertThat(reports).containsOnlyKeys(P1, P2);
        assertThat(reports.get(P2))
                .isEqualTo(new TrafficReport(
                        60_000,
                        List.of(new Slot(2, 16, 160)),
                        0,
                        List.of(new Named("order:17", key.slot(), false, 48))));
    }

    /**
     * However many calls there are: a group or key with a tenth of them or more is named, with about its calls, and its group and
     * its slot with no fewer.
     */
    @ParameterizedTest
    @ValueSource(ints = {200, 1_000, 5_000, 100_000})
    void whatIsAskedForOften_isNamed(int calls) {
        Random random = new Random(calls);
        Map<String, Integer> asked = new HashMap<>();
        for (int i = 0; i < calls; i++) {
            int chance = random.nextInt(10);
            String key = chance < 4
                    ? "{customer:99}:order:" + (chance == 0 ? 0 : i)
                    : chance < 7 ? "price:1" : "customer:" + i;
            asked.merge(key, 1, Integer::sum);
            sampler.count(HashSlot.of(key), 10, EncodedKey.of(key));
        }
        List<Named> named = new ArrayList<>();
        take().values().forEach(report -> named.addAll(report.named()));

        assertCalls(named, "customer:99", true, 0.4 * calls);
        assertCalls(named, "price:1", false, asked.getOrDefault("price:1", 0));
        assertCalls(named, "{customer:99}:order:0", false, asked.getOrDefault("{customer:99}:order:0", 0));
        assertThat(named).hasSize(3);
        assertThat(named).allMatch(each -> each.slot() == HashSlot.of(each.name()));
    }

    private static void assertCalls(List<Named> named, String name, boolean isGroup, double calls) {
        assertThat(named)
                .filteredOn(each -> each.name().equals(name) && each.isGroup() == isGroup)
                .singleElement()
                // Six times the deviation of a sample of at most MOST_KEYS.
                .satisfies(each -> assertThat((double) each.calls() / TrafficSampler.ONE_IN)
                        .isCloseTo(calls, within(0.45 * calls)));
    }

    @Test
    void keysAreForgotten_withEachReport_andLongOnesAtOnce() {
        sampler.count(5, 10, KEY);
        sampler.count(5, 10, KEY);
        assertThat(take().get(P1)).extracting(report -> report.named().size()).isEqualTo(1);
        EncodedKey longest = new EncodedKey(new byte[TrafficSampler.LONGEST_KEY + 1]);
        IntStream.range(0, 10).forEach(i -> sampler.count(5, 10, longest));

        assertThat(take().get(P1)).isEqualTo(new TrafficReport(60_000, List.of(new Slot(5, 160, 1_600)), 0, List.of()));
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
                            sampler.count((i * 7 + own) % 1_000, 1, KEY);
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
