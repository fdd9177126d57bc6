// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StampSourceTest {
    @Test
    void whatCommandsTakeForSomethingElse_isPassedOver() {
        RandomGenerator justBefore = () -> -3;
        StampSource stamps = new StampSource(justBefore);

        assertThat(stamps.next()).isEqualTo(-2);
        assertThat(stamps.next()).isEqualTo(1);
    }

    @Test
    void ownStamps_areRecognised_alsoAroundTheEndOfTheNumbers() {
        RandomGenerator nearTheEnd = () -> Long.MAX_VALUE - 1;
        StampSource stamps = new StampSource(nearTheEnd);
        long first = stamps.next();
        long second = stamps.next();

        assertThat(stamps.isOwn(first)).isTrue();
        assertThat(stamps.isOwn(second)).isTrue();
        assertThat(stamps.isOwn(second + 1)).isFalse();
        assertThat(stamps.isOwn(first - 1)).isFalse();
        assertThat(stamps.isOwn(0)).isFalse();
    }

    @Test
    void stampsOfSeveralThreads_areDistinct() throws Exception {
        StampSource stamps = new StampSource(new Random(1));
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        Callable<Boolean> draws =
                () -> Stream.generate(stamps::next).limit(1000).allMatch(seen::add);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (var distinct :
                    threads.invokeAll(Stream.generate(() -> draws).limit(8).toList())) {
                assertThat(distinct.get()).isTrue();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(seen).hasSize(8000).doesNotContain(0L);
    }
}
