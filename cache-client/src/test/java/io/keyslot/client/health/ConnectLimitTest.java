// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ConnectLimitTest {
    private static final String ADDRESS = "a:6379";

    private final ManualTime time = new ManualTime(1);
    private final ConnectLimit limit = new ConnectLimit();
    private final List<Long> begun = new ArrayList<>();

    /** Begins a connect that never ends. */
    private CompletableFuture<String> connect(String address) {
        return limit.run(address, time.timing(), () -> {
            begun.add(time.timing().ticker().nanos());
            return new CompletableFuture<>();
        });
    }

    @Test
    void connectsThatHang_holdUpNoOther() {
        for (int i = 0; i < ConnectLimit.BURST; i++) {
            assertThat(connect(ADDRESS)).isNotDone();
        }
        assertThat(begun).hasSize(ConnectLimit.BURST);

        assertThat(connect("b:6379")).isNotDone();
        assertThat(begun).hasSize(ConnectLimit.BURST + 1);
        time.advance(ConnectLimit.INTERVAL.multipliedBy(2));
        assertThat(connect(ADDRESS)).isNotDone();
        assertThat(begun).hasSize(ConnectLimit.BURST + 2);
    }

    @Test
    void storm_isNoDenserThanTheRate() {
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            CompletableFuture<String> unused = connect(ADDRESS);
            time.advance(Duration.ofMillis(random.nextInt(4)));
        }
        time.advance(Duration.ofSeconds(5));

        assertThat(begun).hasSizeGreaterThan(ConnectLimit.BURST);
        long window = ConnectLimit.INTERVAL.toNanos() * ConnectLimit.BURST;
        for (long from : begun) {
            // Each is up to one interval late by chance: so one interval more of them may fall into a window.
            assertThat(begun.stream()
                            .filter(at -> at - from >= 0 && at - from < window)
                            .count())
                    .isLessThanOrEqualTo(2L * ConnectLimit.BURST + 1);
        }
    }
}
