// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.slot.SlotRange;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownNodeTest {
    private static final String ID = "a".repeat(40);
    private static final String OTHER = "b".repeat(40);

    private static KnownNode read(String line) {
        return KnownNode.readAll(line).orElseThrow().get(0);
    }

    @Test
    void node_saysItsSlotsAndThoseOnTheirWay() {
        KnownNode node = read("%s 127.0.0.1:7000@17000 myself,master - 0 1 2 connected 0-5 9 [7->-%s] [8-<-%s]"
                .formatted(ID, OTHER, OTHER));

        assertThat(node.isItself()).isTrue();
        assertThat(node.isPrimary()).isTrue();
        assertThat(node.slots()).containsExactly(new SlotRange(0, 5), new SlotRange(9, 9));
        assertThat(node.leaving()).isEqualTo(Map.of(7, OTHER));
        assertThat(node.arriving()).isEqualTo(Map.of(8, OTHER));
    }

    /** The text of servers 4.0 and later; with names since 7.0, and more behind them since 7.2. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.1:7000@17000 | 10.0.0.1:7000",
                "10.0.0.1:7000@17000,name.example | 10.0.0.1:7000",
                "10.0.0.1:7000@17000,,tls-port=0,shard-id=1 | 10.0.0.1:7000",
                "fd00::1:7000@17000 | fd00::1:7000",
                "10.0.0.1:7000 | 10.0.0.1:7000",
                ":0@0 | ''",
                ":7000@17000 | ''"
            })
    void address_isWhereItIsReached(String told, String address) {
        assertThat(read("%s %s slave %s 0 1 2 connected".formatted(ID, told, OTHER)))
                .satisfies(node -> {
                    assertThat(node.address()).isEqualTo(address);
                    assertThat(node.primary()).isEqualTo(OTHER);
                    assertThat(node.isPrimary()).isFalse();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"master,fail", "master,fail?", "slave,fail?,fail", "master,fail,fail"})
    void nodeThatIsTakenForFailed_saysSo(String flags) {
        assertThat(read("%s :0@0 %s - 0 1 2 disconnected".formatted(ID, flags)).isFailed())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a 127.0.0.1:7000 master - 0 1 2",
                "a! 127.0.0.1:7000 master - 0 1 2 connected",
                "a 127.0.0.1:7000 master - 0 1 2 connected 16384",
                "a 127.0.0.1:7000 master - 0 1 2 connected 9-5",
                "a 127.0.0.1:7000 master - 0 1 2 connected [5->-]",
                "a 127.0.0.1:7000 master - 0 1 2 connected some"
            })
    void lineThatIsNotAsItShouldBe_makesTheAnswerUnreadable(String line) {
        assertThat(KnownNode.readAll("%s :0@0 master - 0 1 2 connected\n%s\n".formatted(OTHER, line)))
                .isEmpty();
    }
}
