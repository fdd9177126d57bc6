// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.ValueSize;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingTest {
    private final Routing routing = new Routing(3);

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 9, 10, 99, 100, 99_999, 1_234_567_890_123L})
    void key_isTheNumberAsText(long id) {
        assertThat(Keys.bytes(id)).isEqualTo(("customer:" + id).getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void split_givesEachServerItsKeys() {
        Batch batch = Batch.of(IntStream.range(0, 100), ValueSize.BYTES_200.samples());

        List<Routing.Share> shares = routing.split(batch);

        assertThat(shares).extracting(Routing.Share::server).containsExactly(0, 1, 2);
        assertThat(shares.stream().mapToInt(Routing.Share::size).sum()).isEqualTo(100);
        assertThat(shares).allSatisfy(share -> {
            for (int i = 0; i < share.size(); i++) {
                assertThat(routing.server(share.key(i))).isEqualTo(share.server());
                assertThat(share.key(i)).isEqualTo(Keys.bytes(batch.ids().get(share.place(i))));
            }
            assertThat(share.keys()).isEqualTo(Arrays.copyOf(share.keys(), share.size()));
        });
    }

    @Test
    void serverWithoutKeys_isLeftOut() {
        Batch batch = Batch.of(IntStream.of(7), ValueSize.BYTES_200.samples());

        assertThat(routing.split(batch)).hasSize(1);
    }
}
