// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.GeneratedCluster.Names;
import io.keyslot.client.partition.redis.GeneratedCluster.Node;
import io.keyslot.slot.HashSlot;
import io.lettuce.core.protocol.ProtocolVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterAnswersTest {
    private static final int TORN_ANSWERS = 40;

    private final ClusterAnswers answers = new ClusterAnswers(GeneratedCluster.ASKED);

    private static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    private static GeneratedCluster cluster(Random random) {
        return GeneratedCluster.of(random, List.of(Names.values()).get(random.nextInt(Names.values().length)));
    }

    private static ProtocolVersion protocol(Random random) {
        return random.nextBoolean() ? ProtocolVersion.RESP3 : ProtocolVersion.RESP2;
    }

    @ParameterizedTest
    @MethodSource("io.keyslot.client.partition.redis.ClusterAnswersTest#seeds")
    void wholeAnswers_areReadAsTheClusterIs(long seed) {
        Random random = new Random(seed);
        GeneratedCluster cluster = cluster(random);
        boolean isEncrypted = random.nextBoolean();

        for (ProtocolVersion protocol : List.of(ProtocolVersion.RESP2, ProtocolVersion.RESP3)) {
            assertThat(answers.slots(RespText.read(protocol, cluster.slots(random, isEncrypted))))
                    .as("%s, %s", protocol, cluster.names())
                    .contains(cluster.view(isEncrypted));
        }
        assertThat(cluster.view(isEncrypted).isComplete()).isTrue();
    }

    /**
     * Whatever is missing: what is complete says of each slot the same as the whole answer. Only a replica behind a
     * primary that is missing in {@code CLUSTER SLOTS} cannot be told from one.
     */
    @ParameterizedTest
    @MethodSource("io.keyslot.client.partition.redis.ClusterAnswersTest#seeds")
    void tornAnswers_areNotReadOrSayTheSame(long seed) {
        Random random = new Random(seed);
        GeneratedCluster cluster = cluster(random);
        List<?> slots = RespText.read(protocol(random), cluster.alone().slots(random, false));
        TornAnswer torn = new TornAnswer(random);

        for (int i = 0; i < TORN_ANSWERS; i++) {
            assertNothingElse(cluster, answers.slots(torn.of(slots)));
        }
    }

    private static void assertNothingElse(GeneratedCluster cluster, Optional<ClusterOwners> read) {
        Optional<ClusterOwners> usable = read.filter(ClusterOwners::isComplete);
        if (usable.isEmpty()) {
            return;
        }
        for (int slot = 0; slot < HashSlot.COUNT; slot += 101) {
            Node owner = cluster.ownerOf(slot);
            assertThat(usable.get().ownerOf(slot)).hasValueSatisfying(primary -> {
                assertThat(primary.id()).isEqualTo(owner.id());
                assertThat(primary.port()).isEqualTo(owner.port());
                assertThat(primary.host()).isIn(owner.host(cluster.names()), GeneratedCluster.ASKED, owner.ip());
            });
        }
    }

    @Nested
    class NodeWithoutAName {
        private Optional<ClusterOwners> slots(Object... node) {
            return answers.slots(
                    RespText.read(ProtocolVersion.RESP2, List.of(List.of(0L, 16_383L, Arrays.asList(node)))));
        }

        /** It is not the one that was asked: another node may have the same port there. */
        @Test
        void isAtItsAddress() {
            assertThat(slots("?", 7_000L, "a".repeat(40), Map.of("ip", "10.0.0.1")))
                    .flatMap(view -> view.at("10.0.0.1", 7_000))
                    .isPresent();
        }
    }

    /** An answer of which one place is not as it should be: an element that is missing, or is nothing, or is of another kind. */
    private static final class TornAnswer {
        private final Random random;

        TornAnswer(Random random) {
            this.random = random;
        }

        /** Returns another list, as the client gets it. Only what was there is taken away: nothing else is told instead. */
        List<Object> of(List<?> answer) {
            List<Object> torn = new ArrayList<>(answer);
            if (torn.isEmpty()) {
                return torn;
            }
            int place = random.nextInt(torn.size());
            Object found = torn.get(place);
            if (found instanceof List<?> list && !list.isEmpty() && random.nextInt(5) > 0) {
                torn.set(place, of(list));
                return torn;
            }
            switch (random.nextInt(4)) {
                case 0 -> torn.remove(place);
                case 1 -> torn.set(place, null);
                case 2 -> torn.subList(place, torn.size()).clear();
                default -> torn.set(place, found instanceof byte[] ? Long.valueOf(7) : List.of());
            }
            return torn;
        }
    }
}
