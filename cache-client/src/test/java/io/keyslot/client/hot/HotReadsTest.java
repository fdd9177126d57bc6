// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.keyslot.cache.hot.HotKey;
import io.keyslot.cache.hot.HotKeys;
import io.keyslot.client.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotReadsTest {
    private final ManualTicker ticker = new ManualTicker();
    private final AtomicInteger halvings = new AtomicInteger();
    private final HotReads<String> reads = new HotReads<>(key -> key, ticker, new SampleOfAll(1, ticker.nanos()));

    HotReadsTest() {
        reads.whenHalved(halvings::incrementAndGet);
    }

    private void read(String key, int times) {
        for (int i = 0; i < times; i++) {
            reads.read(key);
        }
    }

    private HotKeys<Object> top(int most) {
        return reads.top(most, place -> place);
    }

    private List<Object> keys(int most) {
        return top(most).keys().stream().map(HotKey::key).toList();
    }

    @Test
    void whatIsReadMost_isFirst_withItsReads() {
        read("a", 30);
        read("b", 50);
        read("c", 10);
        ticker.advance(Duration.ofSeconds(10));

        HotKeys<Object> top = top(2);

        assertThat(top.keys()).containsExactly(new HotKey<>("b", 50, 0), new HotKey<>("a", 30, 0));
        assertThat(top.reads()).isEqualTo(90);
        assertThat(top.over()).isEqualTo(Duration.ofSeconds(10));
        assertThat(top.share(top.keys().get(0))).isCloseTo(50 / 90.0, within(0.001));
        assertThat(reads.hottestShare()).isCloseTo(50 / 90.0, within(0.001));
        assertThat(reads.hotKeys()).isEqualTo(3);
    }

    @Test
    void withoutReads_thereIsNothing() {
        assertThat(top(10)).isEqualTo(new HotKeys<>(List.of(), 0, Duration.ZERO));
        assertThat(reads.hottestShare()).isZero();
        assertThat(reads.hotKeys()).isZero();
        assertThat(top(10).share(new HotKey<>("a", 1, 0))).isZero();
    }

    /** However long a key has been hot, it is not for long when it is not read any more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100})
    void yesterdaysHotKey_isGone(int minutes) {
        for (int second = 0; second < minutes * 60; second++) {
            read("yesterday", 20);
            ticker.advance(Duration.ofSeconds(1));
        }
        for (int second = 0; second < 120; second++) {
            read("today", 20);
            ticker.advance(Duration.ofSeconds(1));
        }
        assertThat(keys(1)).containsExactly("today");

        for (int second = 0; second < 600; second++) {
            read("today", 20);
            ticker.advance(Duration.ofSeconds(1));
        }
        assertThat(keys(10)).containsExactly("today");
        assertThat(reads.isStillHot("yesterday")).isFalse();
        assertThat(halvings).hasValueGreaterThan(20);
    }

    @Test
    void ofAProcessThatReadsNothing_nothingIsHot() {
        read("a", 1_000);
        ticker.advance(Duration.ofDays(1));

        assertThat(top(10).keys()).isEmpty();
        assertThat(top(10).reads()).isZero();
        assertThat(reads.hotKeys()).isZero();
    }

    /** Reads and their time are counted down alike, so their quotient is the rate, at any moment. */
    @ParameterizedTest
    @ValueSource(ints = {5, 29, 31, 60, 95, 1_000})
    void readsByTheirTime_areTheRate(int seconds) {
        for (int second = 0; second < seconds; second++) {
            read("a", 100);
            read("b", 50);
            ticker.advance(Duration.ofSeconds(1));
        }

        HotKeys<Object> top = top(2);

        double time = top.over().toNanos() / 1e9;
        assertThat(time).isBetween(Math.min(seconds, 15) - 0.001, 60.0);
        assertThat(top.keys().get(0).reads() / time).isCloseTo(100, within(1.0));
        assertThat(top.keys().get(1).reads() / time).isCloseTo(50, within(1.0));
        assertThat(top.reads() / time).isCloseTo(150, within(1.0));
    }

    @Test
    void aKeyIsHot_fromItsFourthReadOn_andStaysSoForAWhile() {
        read("a", 3);
        assertThat(reads.isHot("a")).isFalse();
        read("a", 1);
        assertThat(reads.isHot("a")).isTrue();

        ticker.advance(HotReads.HALF_LIFE.multipliedBy(2));
        read("b", 1);
        assertThat(reads.isHot("a")).isFalse();
        assertThat(reads.isStillHot("a")).isTrue();
        ticker.advance(HotReads.HALF_LIFE.multipliedBy(2));
        read("b", 1);
        assertThat(reads.isStillHot("a")).isFalse();
    }

    /** Ten thousand keys that are read three times each are not hot, in whatever order. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void coldKeys_areNeverTakenForHot_whileEachReadIsCounted(int seed) {
        List<String> scan = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            scan.add("cold" + i % 10_000);
        }
        Collections.shuffle(scan, new Random(seed));
        int hot = 0;
        for (String key : scan) {
            reads.read(key);
            ticker.advance(Duration.ofMillis(1));
            hot += reads.isHot(key) ? 1 : 0;
        }

        assertThat(hot).isZero();
    }

    /** Of many reads a part is counted: the truth is within the error that is told. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void manyReads_areEstimatedWithinTheErrorThatIsTold(int seed) {
        Random random = new Random(seed);
        Map<String, Long> truth = new HashMap<>();
        for (int i = 0; i < 2_000_000; i++) {
            String key = "k" + (int) (5_000 * Math.pow(random.nextDouble(), 4));
            truth.merge(key, 1L, Long::sum);
            reads.read(key);
            ticker.advance(Duration.ofNanos(10_000));
        }

        HotKeys<Object> top = top(100);

        assertThat(halvings).hasValue(0);
        assertThat(top.reads()).isBetween(1_900_000L, 2_100_000L);
        long within = top.keys().stream()
                .filter(key -> Math.abs(key.reads() - truth.getOrDefault(key.key(), 0L)) <= key.error())
                .count();
        assertThat(within).isGreaterThanOrEqualTo(90);
        assertThat(top.keys().get(0).key()).isEqualTo("k0");
        assertThat(top.keys().get(0).error()).isLessThan(top.keys().get(0).reads() / 10);
    }

    @Test
    void threadsTogether_loseHardlyAnything() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> works = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            works.add(threads.submit(() -> {
                for (int i = 0; i < 500_000; i++) {
                    reads.read(i % 2 == 0 ? "half" : "k" + i % 5_000);
                }
            }));
        }
        for (Future<?> work : works) {
            work.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();

        HotKeys<Object> top = top(1);
        assertThat(top.keys()).extracting(HotKey::key).containsExactly("half");
        assertThat(top.share(top.keys().get(0))).isCloseTo(0.5, within(0.1));
    }

    /** What cannot be read by anybody is not told: the key is of another version of its class. */
    @Test
    void keysThatCannotBeSaid_areLeftOut() {
        read("a", 5);
        read("b", 3);

        assertThat(reads.<Object>top(10, place -> place.equals("a") ? null : place)
                        .keys())
                .extracting(HotKey::key)
                .containsExactly("b");
    }
}
