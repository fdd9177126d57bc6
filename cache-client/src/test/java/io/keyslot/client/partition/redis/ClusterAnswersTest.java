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
import org.junit.jupiter.params.provider.ValueSource;

class ClusterAnswersTest {
    private static final int TORN_ANSWERS = 40;

    private final ClusterAnswers answers = new ClusterAnswers(GeneratedCluster.ASKED, false);

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
        ClusterAnswers reader = new ClusterAnswers(GeneratedCluster.ASKED, isEncrypted);

        for (ProtocolVersion protocol : List.of(ProtocolVersion.RESP2, ProtocolVersion.RESP3)) {
            assertThat(reader.shards(RespText.read(protocol, cluster.shards(random))))
                    .as("%s, %s", protocol, cluster.names())
                    .contains(cluster.view(isEncrypted, true));
            assertThat(reader.slots(RespText.read(protocol, cluster.slots(random, isEncrypted))))
                    .as("%s, %s", protocol, cluster.names())
                    .contains(cluster.view(isEncrypted, false));
        }
        assertThat(cluster.view(isEncrypted, true).isComplete()).isTrue();
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
        List<?> shards = RespText.read(protocol(random), cluster.shards(random));
        List<?> slots = RespText.read(protocol(random), cluster.alone().slots(random, false));
        TornAnswer torn = new TornAnswer(random);

        for (int i = 0; i < TORN_ANSWERS; i++) {
            assertNothingElse(cluster, answers.shards(torn.of(shards)));
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

    @ParameterizedTest
    @MethodSource("io.keyslot.client.partition.redis.ClusterAnswersTest#seeds")
    void slotWithoutAnOwner_makesTheViewIncomplete(long seed) {
        Random random = new Random(seed);
        GeneratedCluster cluster = GeneratedCluster.of(random, Names.ADDRESSES)
                .withOwner(random.nextInt(HashSlot.COUNT), GeneratedCluster.NONE);

        assertThat(answers.shards(RespText.read(protocol(random), cluster.shards(random))))
                .hasValueSatisfying(view -> assertThat(view.isComplete()).isFalse());
        assertThat(answers.slots(RespText.read(protocol(random), cluster.slots(random, false))))
                .hasValueSatisfying(view -> assertThat(view.isComplete()).isFalse());
    }

    @ParameterizedTest
    @MethodSource("io.keyslot.client.partition.redis.ClusterAnswersTest#seeds")
    void slotWithTwoOwners_makesTheViewIncomplete(long seed) {
        Random random = new Random(seed);
        GeneratedCluster cluster = GeneratedCluster.of(random, Names.HOST_NAMES);
        long slot = random.nextInt(HashSlot.COUNT);
        Node foreign = new Node("f".repeat(40), "10.0.1.1", "stranger.example", 7_900, 8_900, 99);
        List<Object> shards = new ArrayList<>(cluster.shards(random));
        shards.add(GeneratedCluster.shard(
                List.of(slot, slot), List.of(cluster.member(foreign, "master", "online", 1, random)), random));
        List<Object> slots = new ArrayList<>(cluster.slots(random, false));
        slots.add(random.nextInt(slots.size()), List.of(slot, slot, Arrays.asList(null, 7_900L, "f".repeat(40))));

        assertThat(answers.shards(RespText.read(protocol(random), shards)))
                .hasValueSatisfying(view -> assertThat(view.isComplete()).isFalse());
        assertThat(answers.slots(RespText.read(protocol(random), slots)))
                .hasValueSatisfying(view -> assertThat(view.isComplete()).isFalse());
    }

    @Nested
    class Shards {
        private final Random random = new Random(1);
        private final GeneratedCluster cluster = GeneratedCluster.of(random, Names.ADDRESSES);
        private final Node old = new Node("a".repeat(40), "10.0.0.1", "a", 7_000, 8_000, 1);
        private final Node young = new Node("b".repeat(40), "10.0.0.2", "b", 7_001, 8_001, 2);

        private Optional<ClusterOwners> read(List<?> bounds, Object... members) {
            return answers.shards(RespText.read(
                    ProtocolVersion.RESP3, List.of(GeneratedCluster.shard(bounds, Arrays.asList(members), random))));
        }

        private Object member(Node node, String role, String health, long offset) {
            return cluster.member(node, role, health, offset, random);
        }

        private String ownerOf(Optional<ClusterOwners> view) {
            return view.flatMap(known -> known.ownerOf(5)).orElseThrow().id();
        }

        @Test
        void primaryThatHasFailed_countsLessThanTheOneInItsPlace() {
            assertThat(ownerOf(read(
                            List.of(0L, 10L),
                            member(old, "master", "fail", 9_000),
                            member(young, "master", "online", 10))))
                    .isEqualTo(young.id());
        }

        @Test
        void replicas_areThoseThatHaveNotFailed() {
            Node third = new Node("c".repeat(40), "10.0.0.3", "c", 7_002, 8_002, 3);
            Node fourth = new Node("d".repeat(40), "10.0.0.4", "d", 7_003, 8_003, 4);
            assertThat(read(
                            List.of(0L, 10L),
                            member(third, "replica", "fail", 9_000),
                            member(young, "slave", "loading", 0),
                            member(fourth, "replica", "failed", 9_000),
                            member(old, "master", "online", 9_000)))
                    .flatMap(view -> view.ownerOf(5))
                    .map(ClusterPrimary::replicas)
                    .contains(List.of(new ClusterPrimary.Replica(young.id(), young.ip(), young.port())));
        }

        /** As servers before 7.0.1 and some services have it. */
        @Test
        void nodeWithoutAnEndpoint_isAtItsAddress() {
            assertThat(read(
                            List.of(0L, 10L),
                            Map.of(
                                    "id",
                                    "a".repeat(40),
                                    "port",
                                    7_000L,
                                    "ip",
                                    "10.0.0.1",
                                    "role",
                                    "master",
                                    "health",
                                    "online")))
                    .flatMap(view -> view.at("10.0.0.1", 7_000))
                    .isPresent();
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

        @Test
        void andWithoutAnAddress_makesTheAnswerUnreadable() {
            assertThat(slots("?", 7_000L, "a".repeat(40), Map.of())).isEmpty();
            assertThat(slots("?", 7_000L, "a".repeat(40))).isEmpty();
            assertThat(slots("?", 7_000L, "a".repeat(40), Map.of("ip", "?"))).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 16_384, Long.MAX_VALUE, Long.MIN_VALUE})
    void slotThatIsNone_makesTheAnswerUnreadable(long slot) {
        List<Object> node = List.of("a", 7_000L, "a".repeat(40));

        assertThat(answers.slots(RespText.read(ProtocolVersion.RESP3, List.of(List.of(slot, 16_383L, node)))))
                .isEmpty();
        assertThat(answers.slots(RespText.read(ProtocolVersion.RESP3, List.of(List.of(0L, slot, node)))))
                .isEmpty();
    }
}
