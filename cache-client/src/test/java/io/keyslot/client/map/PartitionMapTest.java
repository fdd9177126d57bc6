// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.config.Given;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.register.Generation;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionMapTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final PartitionId P3 = new PartitionId("p3");
    private static final PartitionId P4 = new PartitionId("p4");
    private static final SlotSet TEN = SlotSet.parse("0-9");
    private static final MapCommit BY = new MapCommit("op", "maria", "", Instant.EPOCH);

    private PartitionMap map = ConfiguredMap.of(Given.defaults());

    private PartitionMap change(UnaryOperator<MapContent> change) {
        map = map.next(BY, change);
        return map;
    }

    private void begin(SlotSet slots) {
        change(content -> content.begin(Move.begun("m", P1, P2, slots, "c")));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("tests.seeds", 2));
    }

    @Test
    void addressWithALogin_isRefused_andNotShown() {
        PartitionUri uri = new PartitionUri(false, "one", 7000, 3, "me", "secret");

        assertThatThrownBy(() -> MappedPartition.active(P1, uri, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The address of p1 names a user or a password")
                .hasMessageNotContaining("secret");
    }

    @Nested
    class Rules {
        @Test
        void lostOne_isAskedByNobody_andOwnsWhatItHad_untilThatIsMoved() {
            SlotSet owned = map.slots().slotsOf(P1);
            change(content -> content.lose(P1));

            assertThat(map.askedPartitions()).extracting(MappedPartition::name).doesNotContain(P1);
            assertThat(map.slotMap().ownerOf(0)).contains(P1);
            refused(content -> content.remove(P1), "belong to p1, which was removed");
            refused(content -> content.begin(Move.begun("m", P2, P1, map.slots().slotsOf(P2), "c")), "not active");
            change(content -> content.begin(Move.begun("m", P1, P2, owned, "c")));
            refused(
                    content -> content.change(P1, lost -> lost.withState(MappedPartition.Membership.ACTIVE)),
                    "partition p1 is lost, and move m goes on without it");
            change(content ->
                    content.startMoving("m").commit("m", owned).settle("m").finish("m"));
            change(content -> content.remove(P1));
        }

        @Test
        void moveToALostOne_isGivenUp_withWhatIsCommitted() {
            begin(TEN);
            change(content -> content.startMoving("m").commit("m", SlotSet.parse("0-3")));
            refused(content -> content.abort("m"), "slots of it are at p2 already");

            change(content -> content.lose(P2));

            assertThat(map.move("m").orElseThrow().phase()).isEqualTo(MovePhase.ABORTING);
            assertThat(map.ownerOf(3)).contains(P2);
            assertThat(map.ownerOf(4)).contains(P1);
            refused(content -> content.commit("m", SlotSet.of(4)), "move m is ABORTING");
            change(content -> content.finish("m"));
            assertThat(map.moves()).isEmpty();
        }

        @Test
        void moveFromALostOne_goesOn() {
            begin(TEN);
            change(content -> content.startMoving("m").commit("m", SlotSet.parse("0-3")));

            change(content -> content.lose(P1));

            change(content ->
                    content.commit("m", SlotSet.parse("4-9")).settle("m").finish("m"));
            assertThat(map.ownerOf(9)).contains(P2);
        }

        @Test
        void partitionWithMoreThanFourMovesInOneRole_isRefused() {
            begin(TEN);
            change(content -> content.begin(Move.begun("n1", P3, P2, SlotSet.of(16_383), "c"))
                    .begin(Move.begun("n2", P3, P2, SlotSet.of(16_382), "c"))
                    .begin(Move.begun("n3", P1, P2, SlotSet.of(11), "c")));
            refused(
                    content -> content.begin(Move.begun("n4", P1, P2, SlotSet.of(12), "c")),
                    "partition p2 has part in the moves m, n1, n2, n3, n4; at most 4 can be carried out at the same time");
        }

        @Test
        void allThatIsWrong_isSaidAtOnce() {
            assertThatThrownBy(() -> change(content -> FirstPlacements.give(content, TEN, P4)
                            .begin(Move.begun("m", P1, P1, TEN, "c"))
                            .begin(Move.begun("n", P1, P2, SlotSet.none(), "c"))))
                    .isInstanceOfSatisfying(
                            InvalidMapException.class,
                            e -> assertThat(e.problems()).hasSizeGreaterThan(3));
        }
    }

    private void refused(UnaryOperator<MapContent> change, String why) {
        assertThatThrownBy(() -> change(change))
                .isInstanceOf(InvalidMapException.class)
                .hasMessageContaining(why);
    }

    @Nested
    class Stamps {
        private static MapStamp stamp(String generation, long version) {
            return new MapStamp(Generation.parse(generation), version);
        }

        @Test
        void rivals_neverReplaceEachOther() {
            assertThat(stamp("1-a", 9).isNewerThan(stamp("1-b", 1))).isFalse();
            assertThat(stamp("1-b", 9).isNewerThan(stamp("1-a", 1))).isFalse();
            assertThat(stamp("1-b", 9).isRivalOf(stamp("1-a", 1))).isTrue();
            assertThat(stamp("1-b", 9).isRivalOf(stamp("1-b", 1))).isFalse();
        }
    }

    /** Row by row as slot by slot, between any two maps, of which most have come one from the other by no single step. */
    @ParameterizedTest
    @ValueSource(longs = 11)
    void numbersThatWereGivenBefore_areFoundBetweenAnyTwoMaps(long seed) {
        RandomMaps maps = new RandomMaps(seed);
        List<PartitionMap> seen = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
            seen.add(maps.step());
        }
        Random random = new Random(seed);
        int wrong = 0;
        for (int i = 0; i < 12; i++) {
            PartitionMap before = seen.get(random.nextInt(seen.size()));
            PartitionMap after = seen.get(random.nextInt(seen.size()));
            SlotSet expected = SlotSet.of(before.slots().owned().stream()
                    .filter(slot -> after.slots().owned().contains(slot))
                    .filter(slot ->
                            after.slots().ownershipOf(slot) < before.slots().ownershipOf(slot)
                                    || (after.slots().ownershipOf(slot)
                                                    == before.slots().ownershipOf(slot)
                                            && !after.ownerOf(slot).equals(before.ownerOf(slot)))));
            assertThat(MapRules.problemsBetween(before, after).stream()
                            .anyMatch(problem -> problem.equals(
                                    "slots %s have an owner with a number that was given before".formatted(expected))))
                    .isEqualTo(!expected.isEmpty());
            wrong += expected.isEmpty() ? 0 : 1;
        }
        assertThat(wrong).isPositive();
    }

    /** Whatever operators and coordinators do: what comes out keeps the rules, and follows from what was before. */
    @ParameterizedTest
    @MethodSource("io.keyslot.client.map.PartitionMapTest#seeds")
    void changes_keepTheRules(long seed) {
        RandomMaps maps = new RandomMaps(seed);
        for (int step = 0; step < 300; step++) {
            PartitionMap before = maps.map();
            PartitionMap after = maps.step();
            if (!after.stamp().equals(before.stamp())) {
                assertThat(MapRules.problemsOf(after.content())).isEmpty();
                assertThat(MapRules.problemsBetween(before, after)).isEmpty();
                assertOwnersFollowFromMoves(after);
                assertSlotMap(after);
            }
        }
        assertThat(maps.map().version()).isGreaterThan(50);
        assertThat(maps.refused()).isGreaterThan(20);
    }

    private static void assertOwnersFollowFromMoves(PartitionMap map) {
        for (Move move : map.moves()) {
            move.slots().stream().limit(50).forEach(slot -> {
                boolean arrived = move.committed().contains(slot);
                assertThat(map.ownerOf(slot)).contains(arrived ? move.to() : move.from());
            });
        }
    }

    private static void assertSlotMap(PartitionMap map) {
        SlotMap slotMap = map.slotMap();
        assertThat(slotMap.unownedSlots()).isZero();
        for (int slot = 0; slot < 16_384; slot += 97) {
            assertThat(slotMap.ownerOf(slot)).isEqualTo(map.ownerOf(slot));
        }
        assertThat(map.slots().slots()).isEqualTo(ownersOf(map));
    }

    private static Map<PartitionId, SlotSet> ownersOf(PartitionMap map) {
        return map.partitions().stream()
                .map(MappedPartition::name)
                .filter(name -> !map.slots().slotsOf(name).isEmpty())
                .collect(Collectors.toMap(name -> name, name -> map.slots().slotsOf(name)));
    }
}
