// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.read.Given;
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
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionMapTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final PartitionId P3 = new PartitionId("p3");
    private static final PartitionId P4 = new PartitionId("p4");
    private static final SlotSet TEN = SlotSet.parse("0-9");
    private static final MapCommit BY = new MapCommit("op", "maria", "", Instant.EPOCH);

    private PartitionMap map = ConfiguredMap.of(ClientOptions.embeddedDefaults());

    private PartitionMap change(UnaryOperator<MapContent> change) {
        map = map.next(BY, change);
        return map;
    }

    private void begin(SlotSet slots) {
        change(content -> content.begin(Move.begun("m", P1, P2, slots, "c")));
    }

    @Nested
    class Configured {
        @Test
        void firstMap_isThatOfTheOptions() {
            assertThat(map.stamp()).hasToString("0-configured/1");
            assertThat(map.parent()).isZero();
            assertThat(map.slotMap()).isEqualTo(ClientOptions.embeddedDefaults().slotMap());
            assertThat(map.ownershipOf(0)).isEqualTo(1);
            assertThat(map.fencedSlots()).isEqualTo(SlotSet.none());
        }

        @Test
        void loginOfThePartitions_isNotPartOfIt() {
            ClientOptions options = Given.yaml("partitions: { p1: 'redis://me:secret@one:7000/3', p2: 'rediss://two' }")
                    .options();

            PartitionMap configured = ConfiguredMap.of(options);

            assertThat(configured.partitions())
                    .extracting(MappedPartition::address)
                    .containsExactly(
                            new PartitionUri(false, "one", 7000, 3, null, null),
                            new PartitionUri(true, "two", 6379, 0, null, null));
            assertThat(configured.toString()).doesNotContain("secret");
        }

        @Test
        void whoWasGivenSlots_weighsAsMuch() {
            ClientOptions options = Given.yaml(
                            "partitions: { p1: { slots: '0-99' }, p2: { slots: '100-16383' } }\nengine: embedded")
                    .options();

            assertThat(ConfiguredMap.of(options).partitions())
                    .extracting(MappedPartition::weight)
                    .containsExactly(100, 16_284);
        }

        @Test
        void addressWithALogin_isRefused_andNotShown() {
            PartitionUri uri = new PartitionUri(false, "one", 7000, 3, "me", "secret");

            assertThatThrownBy(() -> MappedPartition.active(P1, uri, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("The address of p1 names a user or a password")
                    .hasMessageNotContaining("secret");
        }
    }

    @Nested
    class Moves {
        @Test
        void slotsOfAMove_areStable_moving_settling_stable() {
            begin(TEN);
            assertThat(map.stateOf(3)).isEqualTo(SlotState.STABLE);
            assertThat(map.fencedSlots()).isEqualTo(SlotSet.none());

            change(content -> content.startMoving("m"));
            assertThat(map.stateOf(3)).isEqualTo(SlotState.MOVING);
            assertThat(map.fencedSlots()).isEqualTo(TEN);
            assertThat(map.ownerOf(3)).contains(P1);

            change(content -> content.commit("m", SlotSet.parse("0-4")));
            assertThat(map.stateOf(3)).isEqualTo(SlotState.SETTLING);
            assertThat(map.stateOf(5)).isEqualTo(SlotState.MOVING);
            assertThat(map.ownerOf(3)).contains(P2);
            assertThat(map.ownershipOf(3)).isEqualTo(2);
            assertThat(map.ownerOf(5)).contains(P1);
            assertThat(map.ownershipOf(5)).isEqualTo(1);

            change(content -> content.commit("m", SlotSet.parse("5-9")));
            change(content -> content.settle("m"));
            assertThat(map.stateOf(3)).isEqualTo(SlotState.STABLE);
            assertThat(map.fencedSlots()).isEqualTo(SlotSet.none());
            assertThat(map.moveOf(3)).isPresent();

            change(content -> content.finish("m"));
            assertThat(map.moves()).isEmpty();
            assertThat(map.version()).isEqualTo(7);
            assertThat(map.slotMap().rangesOf(P2)).hasSize(2);
        }

        @Test
        void givenUp_leavesEverythingAsItWas() {
            PartitionMap before = map;
            begin(TEN);
            change(content -> content.startMoving("m"));
            change(content -> content.abort("m"));
            assertThat(map.fencedSlots()).isEqualTo(SlotSet.none());
            assertThat(map.stateOf(3)).isEqualTo(SlotState.STABLE);

            change(content -> content.finish("m"));
            assertThat(map.content()).isEqualTo(before.content());
        }

        @Test
        void waitingMove_beginsWhenItsSourceIsNoTarget() {
            begin(TEN);
            change(content -> content.begin(Move.waiting("w", P2, P3, SlotSet.parse("6000"), "c", MovePace.FULL)));
            assertThat(map.fencedSlots()).isEqualTo(SlotSet.none());
            assertThatThrownBy(() -> change(content -> content.prepare("w")))
                    .hasMessageContaining("partition p2 is the source of w and the target of m at the same time");
            assertThatThrownBy(() -> change(content -> content.startMoving("w")))
                    .hasMessageContaining("WAITING");
            assertThatThrownBy(() -> change(content ->
                            content.begin(Move.waiting("x", P2, P3, SlotSet.parse("3"), "c", MovePace.FULL))))
                    .hasMessageContaining("are part of another move");

            change(content -> content.abort("m"));
            change(content -> content.finish("m"));
            change(content -> content.prepare("w").takeOver("w", "other"));

            assertThat(map.move("w").orElseThrow().phase()).isEqualTo(MovePhase.PREPARING);
        }

        @Test
        void whoWaits_isGoneWhenItIsGivenUp() {
            change(content -> content.begin(Move.waiting("w", P1, P3, TEN, "c", MovePace.FULL)));

            change(content -> content.abort("w"));

            assertThat(map.moves()).isEmpty();
        }

        @Test
        void sourceThatIsDraining_isRemovedWithItsLastSlots() {
            SlotSet all = map.slots().slotsOf(P1);
            change(content -> content.drain(P1));
            change(content -> content.begin(Move.begun("m", P1, P2, TEN, "c"))
                    .begin(Move.waiting("w", P1, P3, all.minus(TEN), "c", MovePace.FULL)));

            change(content -> content.startMoving("m").commit("m", TEN).settle("m"));
            change(content -> content.finish("m"));
            assertThat(map.partition(P1).orElseThrow().state()).isEqualTo(MappedPartition.Membership.DRAINING);
            change(content -> content.prepare("w")
                    .startMoving("w")
                    .commit("w", all.minus(TEN))
                    .settle("w"));
            change(content -> content.finish("w"));

            assertThat(map.partition(P1).orElseThrow().state()).isEqualTo(MappedPartition.Membership.REMOVED);
        }

        @Test
        void afterACommit_nothingIsGivenUp() {
            begin(TEN);
            change(content -> content.startMoving("m"));
            change(content -> content.commit("m", SlotSet.of(0)));

            refused(content -> content.abort("m"), "slots of it are at p2 already, plan the way back");
        }

        @Test
        void whoTakesOver_hasTheNextEpoch() {
            begin(TEN);
            change(content -> content.takeOver("m", "d"));

            assertThat(map.move("m").orElseThrow().coordinator()).isEqualTo(new Coordinator("d", 2));
        }

        @Test
        void thereAndBack_countsOwners() {
            begin(TEN);
            change(content ->
                    content.startMoving("m").commit("m", TEN).settle("m").finish("m"));
            change(content ->
                    content.begin(Move.begun("back", P2, P1, TEN, "c")).startMoving("back"));
            change(content -> content.commit("back", TEN).settle("back").finish("back"));

            assertThat(map.ownershipOf(9)).isEqualTo(3);
            assertThat(map.ownershipOf(10)).isEqualTo(1);
            assertThat(map.slotMap().rangesOf(P1)).hasSize(1);
        }

        @Test
        void whatIsNotThatFar_isRefused() {
            refused(content -> content.startMoving("m"), "there is no move m");
            begin(TEN);
            refused(content -> content.commit("m", TEN), "move m is PREPARING, must be MOVING");
            refused(content -> content.settle("m"), "move m is PREPARING, must be MOVING");
            refused(content -> content.finish("m"), "move m is PREPARING, which is not over");
            change(content -> content.startMoving("m"));
            refused(content -> content.settle("m"), "move m has slots 0-9 still to commit");
            refused(content -> content.commit("m", SlotSet.parse("9-10")), "are not all of those that move m still");
            refused(content -> content.commit("m", SlotSet.none()), "are not all of those that move m still");
        }
    }

    @Nested
    class Rules {
        @Test
        void hashSlotWithoutOwner_isRefused() {
            refused(
                    content -> new MapContent(
                            content.partitions(), content.slots().without(SlotSet.parse("7,9")), content.moves()),
                    "slots 7,9 have no owner");
        }

        @Test
        void ownerThatIsUnknownOrRemoved_isRefused() {
            refused(content -> content.give(TEN, P4), "slots 0-9 belong to p4, which is no partition of the map");
            refused(content -> content.remove(P1), "slots 0-5461 belong to p1, which was removed");
        }

        @Test
        void twoOfOneName_orAddress_areRefused() {
            PartitionUri address = new PartitionUri(false, "r", 6379, 0, null, null);
            refused(content -> content.add(MappedPartition.active(P1, null, 1)), "partition p1 is there twice");
            refused(
                    content -> content.add(MappedPartition.active(P4, address, 1))
                            .add(MappedPartition.active(new PartitionId("p5"), address, 1)),
                    "two partitions have the address redis://r:6379/0");
        }

        @Test
        void removedOne_makesRoomForAnotherOfItsName() {
            change(content -> content.give(content.slots().slotsOf(P3), P1).remove(P3));
            change(content -> content.add(MappedPartition.active(P3, null, 7)));

            assertThat(map.partition(P3).orElseThrow().weight()).isEqualTo(7);
            assertThat(map.partitions()).hasSize(3);
        }

        @Test
        void moveToOneThatIsDraining_isRefused_asIsDrainingTheTarget() {
            change(content -> content.drain(P2));
            refused(content -> content.begin(Move.begun("m", P1, P2, TEN, "c")), "leads to p2, which is not active");
            change(content -> content.activate(P2));
            begin(TEN);
            refused(content -> content.drain(P2), "leads to p2, which is not active");
        }

        @Test
        void lostOne_isAskedByNobody_andOwnsWhatItHad_untilThatIsMoved() {
            SlotSet owned = map.slots().slotsOf(P1);
            change(content -> content.lose(P1));

            assertThat(map.askedPartitions()).extracting(MappedPartition::name).doesNotContain(P1);
            assertThat(map.slotMap().ownerOf(0)).contains(P1);
            refused(content -> content.remove(P1), "belong to p1, which was removed");
            refused(content -> content.begin(Move.begun("m", P2, P1, map.slots().slotsOf(P2), "c")), "not active");
            change(content -> content.begin(Move.begun("m", P1, P2, owned, "c")));
            refused(content -> content.activate(P1), "partition p1 is lost, and move m goes on without it");
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
        void moveOfForeignSlots_orOfNone_orToItself_isRefused() {
            refused(
                    content -> content.begin(Move.begun("m", P1, P2, SlotSet.of(16_383), "c")),
                    "slots 16383 of move m do not belong to p1");
            refused(content -> content.begin(Move.begun("m", P1, P2, SlotSet.none(), "c")), "move m has no slots");
            refused(content -> content.begin(Move.begun("m", P1, P1, TEN, "c")), "move m leads from p1 to itself");
            refused(content -> content.begin(Move.begun("m", P1, P4, TEN, "c")), "names p4, which is no partition");
        }

        @Test
        void slotsOnTheirWay_areNotGivenAway() {
            begin(TEN);
            refused(content -> content.give(SlotSet.parse("9-10"), P3), "slots 9 are part of move m");
        }

        @Test
        void allThatIsWrong_isSaidAtOnce() {
            assertThatThrownBy(() -> change(content -> content.give(TEN, P4)
                            .begin(Move.begun("m", P1, P1, TEN, "c"))
                            .begin(Move.begun("n", P1, P2, SlotSet.none(), "c"))))
                    .isInstanceOfSatisfying(
                            InvalidMapException.class,
                            e -> assertThat(e.problems()).hasSizeGreaterThan(3));
        }

        @Test
        void slotWithTwoOwners_isNoTable() {
            List<SlotTable.SlotRow> rows = List.of(
                    new SlotTable.SlotRow(TEN.ranges().get(0), P1, 1),
                    new SlotTable.SlotRow(SlotSet.of(9).ranges().get(0), P2, 1));

            assertThatThrownBy(() -> new SlotTable(rows))
                    .isInstanceOf(InvalidMapException.class)
                    .hasMessageContaining("slot 9 has two owners");
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
        void newer_isAHigherVersion_orALaterGeneration() {
            assertThat(stamp("1-a", 2).isNewerThan(stamp("1-a", 1))).isTrue();
            assertThat(stamp("1-a", 1).isNewerThan(stamp("1-a", 1))).isFalse();
            assertThat(stamp("2-b", 1).isNewerThan(stamp("1-a", 9))).isTrue();
            assertThat(stamp("1-a", 9).isNewerThan(stamp("2-b", 1))).isFalse();
        }

        @Test
        void rivals_neverReplaceEachOther() {
            assertThat(stamp("1-a", 9).isNewerThan(stamp("1-b", 1))).isFalse();
            assertThat(stamp("1-b", 9).isNewerThan(stamp("1-a", 1))).isFalse();
            assertThat(stamp("1-b", 9).isRivalOf(stamp("1-a", 1))).isTrue();
            assertThat(stamp("1-b", 9).isRivalOf(stamp("1-b", 1))).isFalse();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "1", "-a", "1-", "a-1", "1-a/b", "9999999999999999-a"})
        void textThatIsNoGeneration_isRejected(String text) {
            assertThatThrownBy(() -> Generation.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void anotherGeneration_goesOnCounting() {
            assertThat(map.in(Generation.parse("1-a"), BY).stamp()).hasToString("1-a/2");
        }
    }

    /** Row by row as slot by slot, between any two maps, of which most have come one from the other by no single step. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void numbersThatWereGivenBefore_areFoundBetweenAnyTwoMaps(long seed) {
        RandomMaps maps = new RandomMaps(seed);
        List<PartitionMap> seen = new ArrayList<>();
        for (int step = 0; step < 120; step++) {
            seen.add(maps.step());
        }
        Random random = new Random(seed);
        int wrong = 0;
        for (int i = 0; i < 40; i++) {
            PartitionMap before = seen.get(random.nextInt(seen.size()));
            PartitionMap after = seen.get(random.nextInt(seen.size()));
            SlotSet expected = SlotSet.of(before.slots().owned().stream()
                    .filter(slot -> after.slots().owned().contains(slot))
                    .filter(slot -> after.ownershipOf(slot) < before.ownershipOf(slot)
                            || (after.ownershipOf(slot) == before.ownershipOf(slot)
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
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void changes_keepTheRules(long seed) {
        RandomMaps maps = new RandomMaps(seed);
        for (int step = 0; step < 300; step++) {
            PartitionMap before = maps.map();
            PartitionMap after = maps.step();
            if (!after.stamp().equals(before.stamp())) {
                assertThat(MapRules.problemsOf(after.content())).isEmpty();
                assertThat(MapRules.problemsBetween(before, after)).isEmpty();
                assertStatesFollowFromMoves(after);
                assertSlotMap(after);
            }
        }
        assertThat(maps.map().version()).isGreaterThan(50);
        assertThat(maps.refused()).isGreaterThan(20);
    }

    private static void assertStatesFollowFromMoves(PartitionMap map) {
        SlotSet fenced = map.fencedSlots();
        for (Move move : map.moves()) {
            move.slots().stream().limit(50).forEach(slot -> {
                SlotState state = map.stateOf(slot);
                assertThat(fenced.contains(slot)).isEqualTo(state != SlotState.STABLE);
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
