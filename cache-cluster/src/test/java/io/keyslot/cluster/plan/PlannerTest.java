// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.map.FirstPlacements;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapRules;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.map.Placement;
import io.keyslot.client.map.PlacementTarget;
import io.keyslot.client.map.RandomMaps;
import io.keyslot.client.map.SlotTable;
import io.keyslot.client.map.Spread;
import io.keyslot.client.register.Generation;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlannerTest {
    private static final SlotSet HASHED = SlotSet.of(new SlotRange(0, HashSlot.COUNT - 1));
    private static final MapCommit BY = new MapCommit("op", "maria", "", Instant.EPOCH);

    private static PartitionId p(int number) {
        return new PartitionId("p" + number);
    }

    private static MappedPartition partition(int number, int weight) {
        return MappedPartition.active(p(number), new PartitionUri(false, "r" + number, 6379, 0, null, null), weight);
    }

    private static PartitionMap even(int partitions) {
        List<MappedPartition> all = new ArrayList<>();
        Map<PartitionId, Integer> weights = new LinkedHashMap<>();
        for (int number = 1; number <= partitions; number++) {
            all.add(partition(number, 1));
            weights.put(p(number), 1);
        }
        return new PartitionMap(
                new MapStamp(Generation.CONFIGURED, 1),
                MapCommit.CONFIGURED,
                new MapContent(all, SlotTable.of(SlotMap.ofWeights(1, weights)), List.of()));
    }

    private static Planner planner(PartitionMap map) {
        return new Planner(map, PlanFacts.NONE);
    }

    /** What a coordinator makes of a map and a plan. */
    private static PartitionMap applied(PartitionMap map, Plan plan) {
        PartitionMap now = map.next(BY, plan::begin);
        for (PlannedMove move : plan.moves()) {
            now = now.next(BY, content -> content.begin(Move.begun("m", move.from(), move.to(), move.slots(), "c")));
            now = now.next(BY, content -> content.startMoving("m"));
            now = now.next(BY, content -> content.commit("m", move.slots()));
            now = now.next(BY, content -> content.settle("m").finish("m"));
        }
        return now.next(BY, content -> PlanSteps.put(content, plan.steps().last()));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("tests.seeds", 2));
    }

    @Nested
    class Counts {
        @Test
        void table_showsBeforeAndAfter() {
            Map<PartitionId, PlanFacts.Memory> memory = Map.of(
                    p(1), new PlanFacts.Memory(8192L << 20, 0),
                    p(2), new PlanFacts.Memory(8192L << 20, 0),
                    p(3), new PlanFacts.Memory(0, 1L << 30));
            Plan plan = new Planner(even(2), new PlanFacts(memory, Map.of())).add(partition(3, 1));

            assertThat(plan.shares().get(0).slotsBefore()).isEqualTo(8192);
            assertThat(plan.shares().get(0).bytesBefore()).isEqualTo(8192L << 20);
            assertThat(plan.shares().get(2).slotsAfter()).isEqualTo(5461);
            assertThat(plan.bytes()).isEqualTo(5461L << 20);
            assertThat(plan.estimate(1L << 20)).contains(Duration.ofSeconds(5461));
            assertThat(plan.warnings()).containsExactly("p3 would use 533 % of its memory, which is more than 80 %");
            assertThat(planner(even(2)).add(partition(3, 1)).estimate(1)).isEmpty();
        }
    }

    /** Whatever the map: the least possible number of slots, the same plan twice, nothing to do afterwards. */
    @ParameterizedTest
    @MethodSource("io.keyslot.cluster.plan.PlannerTest#seeds")
    void plans_areMinimal_deterministic_idempotent_andCanBeUndone(long seed) {
        RandomMaps maps = new RandomMaps(seed);
        Random random = new Random(seed);
        int planned = 0;
        for (int step = 0; step < 150; step++) {
            PartitionMap map = maps.step();
            if (map.moves().isEmpty() && step % 2 == 0) {
                try {
                    check(map, random.nextInt(3), random);
                    planned++;
                } catch (PlanRefusedException e) {
                    assertThat(e)
                            .hasMessageMatching("(?s)(Cannot .*|Slots .* (are pinned|need an active partition).*)");
                }
            }
        }
        assertThat(planned).isGreaterThan(5);
    }

    private static void check(PartitionMap map, int kind, Random random) {
        PartitionId any =
                map.partitions().get(random.nextInt(map.partitions().size())).name();
        MappedPartition added = partition(1000, 1 + random.nextInt(9));
        int weight = 1 + random.nextInt(20);
        Plan plan = plan(map, kind, any, added, weight);
        PartitionMap after = applied(map, plan);

        assertThat(PlanDocument.write(plan(map, kind, any, added, weight))).isEqualTo(PlanDocument.write(plan));
        assertThat(PlanDocument.read(PlanDocument.write(plan))).isEqualTo(plan);
        assertThat(MapRules.problemsOf(after.content())).isEmpty();
        MapContent begun = plan.begin(map.content());
        if (!plan.moves().isEmpty()) {
            assertThat(plan.moves())
                    .allMatch(move -> begun.partition(move.to()).orElseThrow().isActive());
            assertThat(hashed(plan)).isEqualTo(leastPossible(begun));
        }
        if (!plan.isEmpty()) {
            assertThat(hashed(planner(after).weigh(Map.of()))).isZero();
        }
        assertUndone(map, plan, after);
        plan.shares()
                .forEach(share -> assertThat(
                                after.slots().slotsOf(share.partition()).size())
                        .isEqualTo(share.slotsAfter()));
    }

    private static void assertUndone(PartitionMap map, Plan plan, PartitionMap after) {
        boolean givesBack = plan.moves().stream()
                .allMatch(move -> map.partition(move.from()).orElseThrow().isActive());
        if (givesBack) {
            PartitionMap back = applied(after, planner(after).reverse(plan));
            assertThat(back.slots().slots()).isEqualTo(map.slots().slots());
            PartitionMap half = applied(map, half(plan));
            assertThat(applied(half, planner(half).reverse(plan)).slots().slots())
                    .isEqualTo(map.slots().slots());
        }
    }

    /** The plan as it is when a part of its moves is done, and the last steps are not. */
    private static Plan half(Plan plan) {
        return new Plan(
                plan.base(),
                plan.request(),
                new PlanSteps(plan.steps().first(), List.of()),
                plan.moves().subList(0, plan.moves().size() / 2),
                plan.back(),
                plan.shares(),
                plan.bytes(),
                plan.warnings(),
                plan.drain());
    }

    private static Plan plan(PartitionMap map, int kind, PartitionId any, MappedPartition added, int weight) {
        return switch (kind) {
            case 0 -> planner(map).add(added);
            case 1 -> planner(map).remove(any);
            default -> planner(map).weigh(Map.of(any, weight));
        };
    }

    private static int hashed(Plan plan) {
        return plan.moves().stream()
                .mapToInt(move -> move.slots().and(HASHED).size())
                .sum();
    }

    private static int leastPossible(MapContent content) {
        Map<PartitionId, Integer> targets = EvenShares.targets(content);
        return content.partitions().stream()
                .mapToInt(partition -> Math.max(
                        0,
                        content.slots().slotsOf(partition.name()).and(HASHED).size()
                                - targets.getOrDefault(partition.name(), 0)))
                .sum();
    }

    @Nested
    class Single {
        @Test
        void drainingTarget_unknownName_unownedSlot_areRefused() {
            PartitionMap map = even(3).next(
                            BY,
                            content -> content.change(
                                    p(3), drained -> drained.withState(MappedPartition.Membership.DRAINING)));

            assertRefused(() -> planner(map).move(SlotSet.of(0), p(3)), "leads to p3, which is not active");
            assertRefused(() -> planner(map).move(SlotSet.of(0), p(9)), "There is no partition p9");
            assertRefused(() -> planner(map).remove(p(9)), "There is no partition p9");
            assertRefused(() -> planner(map).move(SlotSet.of(20_000), p(1)), "Slots 20000 have no owner");
            assertRefused(
                    () -> planner(map).add(partition(1, 1)),
                    "There is a partition p1 already. To give it its share: keyslot plan weight p1=1");
            assertRefused(
                    () -> planner(map)
                            .add(MappedPartition.active(p(9), partition(1, 1).address(), 1)),
                    "Cannot add p9: two partitions have the address redis://r1:6379/0");
            assertRefused(() -> planner(even(1)).remove(p(1)), "Cannot remove p1: no partition is active");
        }
    }

    private static void assertRefused(ThrowingCallable call, String why) {
        assertThatThrownBy(call).isInstanceOf(PlanRefusedException.class).hasMessageContaining(why);
    }

    /** The own partition of a tenant: it has weight 0 and the slots of its placement, and every later plan leaves it alone. */
    @Nested
    class WeightZero {
        private final PartitionMap own = ownPartition();

        private static PartitionMap ownPartition() {
            PartitionMap map = even(4).next(
                            BY,
                            content -> FirstPlacements.with(
                                    content,
                                    new Placement(
                                            "tenant",
                                            null,
                                            Map.of("acme", PlacementTarget.of(16_384, 1)),
                                            List.of(),
                                            Placement.Otherwise.HASH),
                                    p(4)));
            return applied(map, planner(map).weigh(Map.of(p(4), 0)));
        }

        @Test
        void hashSlots_areRefused_whateverMovesThem() {
            assertRefused(
                    () -> planner(own).move(SlotSet.of(0), p(4)), "p4 has weight 0 and takes no hash slots, such as 0");
            assertRefused(() -> planner(own).move(SlotSet.of(0), p(4)), "keyslot placement set TYPE ID --to p4");
        }

        @Test
        void allWeightsZero_areRefused() {
            assertRefused(() -> planner(own).weigh(Map.of(p(1), 0, p(2), 0, p(3), 0)), "would have a weight above 0");
        }
    }

    /** A tenant whose slot is pinned to a partition with weight 0, and others without pins. */
    @Nested
    class Pinned {
        private static final SlotSet ACME = SlotSet.of(16_384);
        private static final SlotSet BIG = SlotSet.of(16_390);

        private PartitionMap map = even(4);
        private final List<Plan> done = new ArrayList<>();

        Pinned() {
            place("tenant", PlacementTarget.of(16_384, 1).pinned(true), p(4));
            place("big", PlacementTarget.of(16_390, 1), p(2));
            place("order", PlacementTarget.of(16_392, 4), p(1));
            map = applied(map, planner(map).weigh(Map.of(p(4), 0)));
            done.add(planner(map).weigh(Map.of()));
        }

        private void place(String type, PlacementTarget target, PartitionId at) {
            Placement placement =
                    new Placement(type, null, Map.of("acme", target), List.of(), Placement.Otherwise.HASH);
            map = map.next(BY, content -> FirstPlacements.with(content, placement, at));
        }

        @ParameterizedTest
        @MethodSource("io.keyslot.cluster.plan.PlannerTest#seeds")
        void tenant_isAloneOnHerPartition_afterEachOf200Plans(long seed) {
            Random random = new Random(seed);
            Set<Integer> applied = new TreeSet<>();
            for (int plans = 0; plans < 200; ) {
                int kind = random.nextInt(9);
                try {
                    Plan plan = random(kind, random);
                    plans++;
                    map = applied(map, plan);
                    done.add(plan);
                    applied.add(kind);
                } catch (PlanRefusedException e) {
                    assertThat(e)
                            .hasMessageMatching("(?s)(Cannot|Slots|p[0-9]+ has|There is|No active|Nothing is known).*");
                }
                assertThat(map.slots().slotsOf(p(4))).as("after kind %d", kind).isEqualTo(ACME);
                assertThat(map.partition(p(4)).orElseThrow().isActive()).isTrue();
            }
            assertThat(applied).as("kinds of plans that were applied").hasSizeGreaterThan(7);
        }

        private Plan random(int kind, Random random) {
            List<MappedPartition> partitions = map.partitions();
            PartitionId any = partitions.get(random.nextInt(partitions.size())).name();
            int weight = random.nextInt(6);
            int[] others = map.slots().owned().minus(ACME).stream().toArray();
            int slot = others[random.nextInt(others.length)];
            Planner planner = new Planner(map, new PlanFacts(Map.of(), loads(random)));
            return switch (kind) {
                case 0 -> planner.add(partition(5 + random.nextInt(5), weight));
                case 1 -> planner.remove(any);
                case 2 -> planner.weigh(any.equals(p(4)) ? Map.of(p(4), 0, p(1), weight) : Map.of(any, weight));
                case 3 -> planner.move(SlotSet.parse(slot + "," + others[random.nextInt(others.length)]), any);
                case 4 -> planner.move(SlotSet.of(slot), any);
                case 5, 6 ->
                    planner.rebalance(
                            List.of(Measure.values()).get(random.nextInt(3)),
                            new BalanceLimits(0.01, 50, random.nextBoolean()));
                case 7 -> planner.reverse(done.get(random.nextInt(done.size())));
                default -> {
                    long active = partitions.stream()
                            .filter(MappedPartition::isActive)
                            .count();
                    if (active > 3
                            && !any.equals(p(4))
                            && map.partition(any).orElseThrow().isActive()) {
                        map = map.next(BY, content -> content.lose(any));
                    }
                    yield planner(map).remove(any);
                }
            };
        }

        private Map<Integer, SlotLoad> loads(Random random) {
            Map<Integer, SlotLoad> loads = new HashMap<>();
            map.slots().owned().stream()
                    .filter(slot -> slot >= HashSlot.COUNT || random.nextInt(40) == 0)
                    .forEach(slot -> {
                        long load = 1 + (long) Math.pow(random.nextDouble(), -1.3);
                        loads.put(slot, new SlotLoad(load, load, load, 0));
                    });
            return loads;
        }

        @Test
        void pinnedSlots_moveOnlyByName_andOthersComeOnlyPinned() {
            assertRefused(
                    () -> planner(map).remove(p(4)),
                    "Slots 16384 of p4 are pinned. Move them first: keyslot plan move");
            assertRefused(() -> planner(map).move(BIG, p(4)), "p4 has weight 0 and is kept for its pinned entries");
            assertThat(planner(map).move(ACME, p(1)).moves()).hasToString("[p4 -> p1 16384]");
        }
    }

    @Nested
    class Labels {
        private PartitionMap map = even(3);

        private void change(UnaryOperator<MapContent> change) {
            map = map.next(BY, change);
        }

        /** Whatever is planned: no slot of an entry goes where the labels are not, or the plan is refused. */
        @ParameterizedTest
        @MethodSource("io.keyslot.cluster.plan.PlannerTest#seeds")
        void noPlan_takesAnEntryWhereItsLabelsAreNot(long seed) {
            Random random = new Random(seed);
            int planned = 0;
            for (int step = 0; step < 60; step++) {
                List<String> regions = List.of("eu", "us");
                map = even(5);
                for (int number = 1; number <= 5; number++) {
                    PartitionId id = p(number);
                    change(content -> content.label(id, Map.of("region", regions.get(random.nextInt(2)))));
                }
                Map<Integer, SlotLoad> loads = new HashMap<>();
                for (int entry = 0; entry < 10; entry++) {
                    PartitionId owner = p(1 + random.nextInt(5));
                    String region = map.partition(owner).orElseThrow().labels().getOrDefault("region", "");
                    PlacementTarget target = new PlacementTarget(
                            16_384 + 8 * entry,
                            Spread.over(1 << random.nextInt(3)),
                            new TreeMap<>(Map.of("region", region)),
                            false);
                    String type = "tenant" + entry;
                    change(content -> FirstPlacements.with(
                            content,
                            new Placement(type, null, Map.of("acme", target), List.of(), Placement.Otherwise.HASH),
                            owner));
                    target.slots().stream()
                            .forEach(slot -> loads.put(slot, new SlotLoad(1_000, 1_000, random.nextInt(100_000), 0)));
                }
                for (int slot = 0; slot < 16_384; slot += 16) {
                    loads.put(slot, new SlotLoad(1_000, 1_000, random.nextInt(10_000), 0));
                }
                Planner planner = new Planner(map, new PlanFacts(Map.of(), loads));
                PartitionId any = p(1 + random.nextInt(5));
                try {
                    Plan plan = switch (random.nextInt(5)) {
                        case 0 -> planner.remove(any);
                        case 1 -> planner.weigh(Map.of(any, 1 + random.nextInt(9)));
                        case 2 -> planner.add(partition(6, 1));
                        case 3 -> planner.move(SlotSet.of(16_384 + 8 * random.nextInt(10)), any);
                        default -> planner.rebalance(Measure.CALLS, BalanceLimits.defaults());
                    };
                    plan.moves().forEach(this::assertAllowed);
                    planned++;
                } catch (PlanRefusedException e) {
                    assertThat(e).hasMessageContaining("labels");
                }
            }
            assertThat(planned).isGreaterThan(20);
        }

        private void assertAllowed(PlannedMove move) {
            map.content()
                    .placements()
                    .targets()
                    .filter(target -> target.slots().intersects(move.slots()))
                    .forEach(target -> assertThat(
                                    map.partition(move.to()).orElseThrow().has(target.labels()))
                            .as(move.toString())
                            .isTrue());
        }
    }

    @Nested
    class Loads {
        private static PlanFacts facts(Map<Integer, Long> loads) {
            Map<Integer, SlotLoad> all = new HashMap<>();
            loads.forEach((slot, load) -> all.put(slot, new SlotLoad(load, load, load, 0)));
            return new PlanFacts(Map.of(), all);
        }

        @ParameterizedTest
        @EnumSource
        void unevenLoads_areEvened_byFewSlots(Measure measure) {
            Random random = new Random(5);
            Map<Integer, Long> loads = new HashMap<>();
            for (int slot = 0; slot < HashSlot.COUNT; slot++) {
                loads.put(slot, (long) Math.exp(random.nextGaussian() * 1.5 + (slot < 4000 ? 4.3 : 4)));
            }
            PartitionMap map = even(6);
            Plan plan = new Planner(map, facts(loads)).rebalance(measure, BalanceLimits.defaults());

            assertThat(worst(map, loads)).isGreaterThan(BalanceLimits.defaults().tolerated());
            assertThat(worst(applied(map, plan), loads))
                    .isLessThanOrEqualTo(BalanceLimits.defaults().aim());
            assertThat(plan.movedSlots()).isBetween(1, 400);
            assertThat(plan.warnings()).isEmpty();
        }

        /**
         * Whatever the map, its weights, labels and draining partitions, whatever the limits: the plan is the same twice and
         * survives its document; nothing goes to who is not active or lacks a label; no more slots move than may; nobody who
         * gets something has more than its fair share by it; and who is worst off, by share, is not worse off than before.
         */
        @ParameterizedTest
        @MethodSource("io.keyslot.cluster.plan.PlannerTest#seeds")
        void rebalancing_keepsItsPromises_onAnyMap(long seed) {
            RandomMaps maps = new RandomMaps(seed);
            Random random = new Random(seed);
            int planned = 0;
            for (int step = 0; step < 60; step++) {
                PartitionMap map = maps.step();
                if (map.moves().isEmpty()) {
                    Map<Integer, Long> loads = someLoads(map, random);
                    BalanceLimits limits = new BalanceLimits(
                            0.01 + random.nextDouble() / 2,
                            1 + random.nextInt(random.nextInt(500) + 1),
                            random.nextBoolean());
                    Plan plan = new Planner(map, facts(loads)).rebalance(Measure.CALLS, limits);
                    checkBalanced(map, loads, limits, plan);
                    planned += plan.isEmpty() ? 0 : 1;
                }
            }
            assertThat(planned).isGreaterThan(1);
        }

        private Map<Integer, Long> someLoads(PartitionMap map, Random random) {
            int[] owned = map.slots().owned().stream().toArray();
            Map<Integer, Long> loads = new HashMap<>();
            for (int count = random.nextInt(3000); count >= 0; count--) {
                loads.merge(
                        owned[random.nextInt(owned.length)], 1 + (long) Math.pow(random.nextDouble(), -1.3), Long::sum);
            }
            return loads;
        }

        private void checkBalanced(PartitionMap map, Map<Integer, Long> loads, BalanceLimits limits, Plan plan) {
            assertThat(PlanDocument.write(new Planner(map, facts(loads)).rebalance(Measure.CALLS, limits)))
                    .isEqualTo(PlanDocument.write(plan));
            assertThat(PlanDocument.read(PlanDocument.write(plan))).isEqualTo(plan);
            assertThat(plan.movedSlots()).isLessThanOrEqualTo(limits.mostSlots());
            PartitionMap after = applied(map, plan);
            assertThat(MapRules.problemsOf(after.content())).isEmpty();
            for (PlannedMove move : plan.moves()) {
                MappedPartition target = map.partition(move.to()).orElseThrow();
                assertThat(target.isActive()).isTrue();
                assertThat(load(after, move.to(), loads)).isLessThanOrEqualTo(fair(map, target, loads) + 1e-9);
                map.content()
                        .placements()
                        .targets()
                        .filter(place -> !place.slots().and(move.slots()).isEmpty())
                        .forEach(place -> assertThat(
                                        limits.movesPlaced() && !place.isPinned() && target.has(place.labels()))
                                .isTrue());
            }
            for (MappedPartition partition : map.partitions()) {
                assertThat(load(after, partition.name(), loads))
                        .isLessThanOrEqualTo(
                                Math.max(load(map, partition.name(), loads), fair(map, partition, loads) + 1e-9));
            }
            assertThat(plan.shares()).allSatisfy(share -> {
                assertThat((double) share.loadBefore()).isEqualTo(load(map, share.partition(), loads));
                assertThat((double) share.loadAfter()).isEqualTo(load(after, share.partition(), loads));
            });
            boolean isGood = map.partitions().stream()
                    .filter(MappedPartition::isAsked)
                    .allMatch(partition -> load(after, partition.name(), loads)
                            <= limits.tolerated() * fair(map, partition, loads) + 1e-9);
            assertThat(isGood || !plan.warnings().isEmpty()).isTrue();
        }

        private double fair(PartitionMap map, MappedPartition partition, Map<Integer, Long> loads) {
            double weights = map.partitions().stream()
                    .filter(MappedPartition::isActive)
                    .mapToLong(MappedPartition::weight)
                    .sum();
            return partition.isActive() ? total(loads) * partition.weight() / weights : 0;
        }

        private static NamedLoad hot(long calls) {
            return new NamedLoad("customer:99", 5, true, new SlotLoad(0, 0, calls, 0));
        }

        @Test
        void hotGroup_isNamed_withWhatToDo() {
            Map<Integer, Long> loads = new HashMap<>();
            HASHED.stream().forEach(slot -> loads.put(slot, 1L));
            loads.put(5, 10_000L);
            Map<Integer, SlotLoad> known = facts(loads).loads();

            Plan ofGroup = new Planner(even(4), new PlanFacts(Map.of(), known, Map.of(5, hot(9_000))))
                    .rebalance(Measure.CALLS, BalanceLimits.defaults());
            Plan ofMany = new Planner(even(4), new PlanFacts(Map.of(), known, Map.of(5, hot(5_000))))
                    .rebalance(Measure.CALLS, BalanceLimits.defaults());

            assertThat(ofGroup.warnings().get(0))
                    .startsWith(
                            "customer:99 alone (slot 5) has about 34.1 % of all calls, more than the fair share of p1")
                    .contains("near cache", "--weight 0", "keyslot placement set <type> <id> --to <name> --pin");
            assertThat(ofMany.warnings().get(0))
                    .startsWith("slot 5 alone has 37.9 % of all calls, many of them of customer:99, more than");
        }

        @Test
        void evenLoads_areLeftAlone_andUnknownOnesRefused() {
            Map<Integer, Long> loads = new HashMap<>();
            HASHED.stream().forEach(slot -> loads.put(slot, 7L));

            assertThat(new Planner(even(3), facts(loads))
                            .rebalance(Measure.BYTES, BalanceLimits.defaults())
                            .isEmpty())
                    .isTrue();
            assertRefused(
                    () -> planner(even(3)).rebalance(Measure.CALLS, BalanceLimits.defaults()),
                    "Nothing is known of the calls of any slot");
        }

        private static double total(Map<Integer, Long> loads) {
            return loads.values().stream().mapToLong(Long::longValue).sum();
        }

        private static double load(PartitionMap map, PartitionId name, Map<Integer, Long> loads) {
            return map.slots().slotsOf(name).stream()
                    .mapToLong(slot -> loads.getOrDefault(slot, 0L))
                    .sum();
        }

        private static double worst(PartitionMap map, Map<Integer, Long> loads) {
            double fair = total(loads) / map.partitions().size();
            return map.partitions().stream()
                            .mapToDouble(partition -> load(map, partition.name(), loads))
                            .max()
                            .orElseThrow()
                    / fair;
        }
    }

    @Nested
    class Document {
        private final Plan plan = planner(even(2)).add(partition(3, 1));

        @Test
        void planThatWasEdited_isRefused() {
            String text = new String(PlanDocument.write(plan), StandardCharsets.US_ASCII);

            assertRefused(
                    () -> PlanDocument.read(
                            text.replace("\"weight\":1", "\"weight\":9").getBytes(StandardCharsets.US_ASCII)),
                    "is not the sum of the plan");
            assertRefused(() -> PlanDocument.read("{}".getBytes(StandardCharsets.US_ASCII)), "plan: is missing");
            assertRefused(
                    () -> PlanDocument.read("x".getBytes(StandardCharsets.US_ASCII)), "is not JSON at character 1");
        }
    }
}
