// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Command.ServedSlots;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodesTextTest {
    private static final String A = "0123456789abcdef0123456789abcdef01234567";
    private static final String B = "89abcdef0123456789abcdef0123456789abcdef";
    private static final PartitionId OF_A = new PartitionId("0123456789ab");
    private static final PartitionId OF_B = new PartitionId("89abcdef0123");
    private static final String LINE_A =
            A + " 127.0.0.1:7000@17000,node.example myself,master - 0 1700000000000 1 connected 0-8191 ";
    private static final String LINE_B = B + " 127.0.0.1:7001@17001 master - 0 1700000000000 2 connected 8192-16383";

    private static Optional<ServedSlots> read(String... lines) {
        return RedisControl.servedSlots(String.join("\n", lines) + "\n");
    }

    @Test
    void slotsOnTheirWay_areThoseOfTheNodeItself() {
        ServedSlots slots =
                read(LINE_A + "[7->-" + B + "] [9000-<-" + B + "]", LINE_B).orElseThrow();

        assertThat(slots.leaving()).containsOnly(Map.entry(7, OF_B));
        assertThat(slots.arriving()).containsExactly(9_000);
        assertThat(slots.elsewhere(6, OF_A)).isEmpty();
        assertThat(slots.elsewhere(7, OF_A)).contains(OF_B);
        assertThat(slots.elsewhere(9_000, OF_A)).isEmpty();
        assertThat(slots.elsewhere(9_001, OF_A)).contains(OF_B);
    }

    /** Each slot is with a node by chance; the text has ranges and single slots, and replicas without any. */
    @ParameterizedTest
    @MethodSource
    void ownersOfAnyMap_areRead(long seed) {
        Random random = new Random(seed);
        int nodes = 1 + random.nextInt(9);
        int[] owners = new int[HashSlot.COUNT];
        for (int slot = 1, owner = 0; slot < owners.length; slot++) {
            owner = random.nextInt(100) == 0 ? random.nextInt(nodes) : owner;
            owners[slot] = owner;
        }
        String text = IntStream.range(0, nodes)
                .mapToObj(node -> line(node, owners) + "\n" + replica(node))
                .collect(Collectors.joining("\n"));

        ServedSlots slots = RedisControl.servedSlots(text).orElseThrow();

        for (int slot = 0; slot < owners.length; slot++) {
            assertThat(slots.elsewhere(slot, new PartitionId("nobody"))).contains(id(owners[slot]));
            assertThat(slots.elsewhere(slot, id(owners[slot]))).isEmpty();
        }
    }

    static LongStream ownersOfAnyMap_areRead() {
        return LongStream.range(0, 20);
    }

    private static String fullId(int node) {
        return String.valueOf((char) ('a' + node)).repeat(40);
    }

    private static PartitionId id(int node) {
        return new PartitionId(fullId(node).substring(0, 12));
    }

    private static String line(int node, int[] owners) {
        StringBuilder line = new StringBuilder(
                fullId(node) + " 10.0.0.%d:6379@16379 master - 0 0 %d connected".formatted(node, node));
        for (int slot = 0; slot < owners.length; slot++) {
            if (owners[slot] == node) {
                int first = slot;
                while (slot + 1 < owners.length && owners[slot + 1] == node) {
                    slot++;
                }
                line.append(first == slot ? " " + first : " " + first + "-" + slot);
            }
        }
        return line.toString();
    }

    private static String replica(int node) {
        return String.valueOf((char) ('n' + node)).repeat(40)
                + " 10.0.1.%d:6379@16379 slave %s 0 0 1 connected".formatted(node, fullId(node));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no node at all",
                LINE_A + "[7->-",
                LINE_A + "16384",
                LINE_A + "9-8",
                LINE_A + "[99999->-" + B + "]",
                LINE_A + "9000\n" + LINE_B,
                "!" + LINE_A
            })
    void textThatIsNotAsItShouldBe_isNotRead(String text) {
        assertThat(RedisControl.servedSlots(text)).isEmpty();
    }

    /** What is left of a text that was cut says nothing else than the whole one, or nothing. */
    @Test
    void tornText_isUnreadable_orSaysLess() {
        String whole = LINE_A + "[7->-" + B + "]\n" + LINE_B;
        for (int end = 0; end < whole.length(); end++) {
            RedisControl.servedSlots(whole.substring(0, end))
                    .ifPresent(read -> assertThat(read.leaving())
                            .satisfiesAnyOf(
                                    leaving -> assertThat(leaving).isEmpty(),
                                    leaving -> assertThat(leaving).containsOnly(Map.entry(7, OF_B))));
        }
    }
}
