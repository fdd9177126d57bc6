// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotCountsTest {
    private static final byte[] KEY = bytes("customer:1");

    private final SlotCounts counts = new SlotCounts(new Random(7));

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private void call(int slot, long bytes, byte[] key) {
        if (counts.chooses(slot)) {
            counts.count(slot, bytes, key);
        }
    }

    @Test
    void nothingCounted_isNothing() {
        assertThat(counts.take()).isEmpty();
    }

    /** Whatever the mixture is: each slot's calls and bytes are found, as far as one in sixteen can tell. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void sample_isOfAllCalls(long seed) {
        Random random = new Random(seed);
        int[] slots = random.ints(40, 0, 1 << 16).distinct().sorted().toArray();
        long[] calls = new long[slots.length];
        for (int i = 0; i < 400_000; i++) {
            int which = (int) Math.min(slots.length - 1, Math.abs(random.nextGaussian()) * 10);
            calls[which]++;
            call(slots[which], 100 + which, KEY);
        }

        List<SlotTraffic> taken = counts.take();

        assertThat(taken).extracting(SlotTraffic::slot).isSorted().doesNotHaveDuplicates();
        for (int i = 0; i < slots.length; i++) {
            int slot = slots[i];
            long expected = calls[i];
            SlotTraffic found = taken.stream()
                    .filter(each -> each.slot() == slot)
                    .findFirst()
                    .orElse(new SlotTraffic(slot, 0, 0, "", 0));
            // Five times the deviation of such a sample.
            assertThat((double) found.calls())
                    .isCloseTo((double) expected, within(5 * Math.sqrt(SlotCounts.ONE_IN * (expected + 1.0)) + 16));
            assertThat(found.bytes()).isEqualTo(found.calls() * (100 + i));
        }
        assertThat(counts.take()).isEmpty();
    }

    /** Who counted each sixteenth call would count one of these two only. */
    @Test
    void rhythmOfTheCaller_doesNotShow() {
        for (int i = 0; i < 100_000; i++) {
            call(64, 1, KEY); // these two share a die
            call(128, 1, KEY);
        }
        List<SlotTraffic> taken = counts.take();

        assertThat(taken)
                .hasSize(2)
                .allSatisfy(slot -> assertThat((double) slot.calls()).isCloseTo(100_000, within(10_000.0)));
    }

    @Test
    void slotsBeyondTheLast_areLeftOut() {
        counts.count(1 << 16, 1, KEY);
        counts.count(-1, 1, KEY);
        counts.count((1 << 16) - 1, 1, KEY);

        assertThat(counts.take()).extracting(SlotTraffic::slot).containsExactly((1 << 16) - 1);
    }

    @Test
    void rootOfMostCalls_isNamed_withNoMoreCallsThanItHad() {
        Random random = new Random(3);
        long ofRoot = 0;
        for (int i = 0; i < 2_000; i++) {
            boolean isHot = random.nextInt(10) < 8;
            ofRoot += isHot ? 1 : 0;
            counts.count(5, 10, bytes(isHot ? "order:{customer:99}:" + i : "customer:" + i));
        }
        SlotTraffic slot = counts.take().get(0);

        assertThat(slot.root()).isEqualTo("customer:99");
        assertThat(slot.rootCalls()).isBetween(slot.calls() / 2, ofRoot * SlotCounts.ONE_IN);
        assertThat(slot.calls()).isEqualTo(2_000 * SlotCounts.ONE_IN);
    }

    @Test
    void windowsForgetTheRootOfTheOneBefore() {
        counts.count(5, 10, bytes("customer:1"));
        assertThat(counts.take().get(0).root()).isEqualTo("customer:1");
        counts.count(5, 10, bytes("{customer:2}x"));
        assertThat(counts.take().get(0).root()).isEqualTo("customer:2");
    }

    @Test
    void longKey_isCounted_butNotRemembered() {
        counts.count(5, 10, new byte[CountedSlots.LONGEST_KEY + 1]);

        assertThat(counts.take()).containsExactly(new SlotTraffic(5, 16, 160, "", 0));
    }

    /** What is counted while somebody takes is taken then or the next time: never twice, never not at all. */
    @Test
    void takingWhileOthersCount_losesNothing() throws Exception {
        int threads = 4;
        int each = 50_000;
        AtomicLong taken = new AtomicLong();
        CountDownLatch running = new CountDownLatch(threads);
        for (int thread = 0; thread < threads; thread++) {
            int own = thread;
            new Thread(() -> {
                        for (int i = 0; i < each; i++) {
                            counts.count((i * 7 + own) % 1_000, 1, KEY);
                        }
                        running.countDown();
                    })
                    .start();
        }
        while (running.getCount() > 0) {
            counts.take().forEach(slot -> taken.addAndGet(slot.calls()));
        }
        counts.take().forEach(slot -> taken.addAndGet(slot.calls()));

        assertThat(taken.get()).isEqualTo((long) threads * each * SlotCounts.ONE_IN);
    }
}
