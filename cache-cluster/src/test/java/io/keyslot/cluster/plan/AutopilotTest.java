// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePace;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.map.SlotTable;
import io.keyslot.client.register.Generation;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Decisions in virtual time: a minute passes between two of them, and moves take minutes. */
class AutopilotTest {
    private static final MapCommit BY = new MapCommit("op", "maria", "", Instant.EPOCH);
    private static final double[] ZIPF = IntStream.rangeClosed(1, HashSlot.COUNT)
            .mapToDouble(rank -> 1_000_000 / Math.pow(rank, 0.7))
            .toArray();
    private static final Instant BEGIN = Instant.parse("2026-11-28T00:00:00Z");
    private static final AutopilotPolicy POLICY = AutopilotPolicy.read("{above: 10%, for: 5m, slotsPerHour: 100}");

    private static PartitionId p(int number) {
        return new PartitionId("p" + number);
    }

    private static PartitionMap even(int partitions) {
        List<MappedPartition> all = new ArrayList<>();
        Map<PartitionId, Integer> weights = new LinkedHashMap<>();
        for (int number = 1; number <= partitions; number++) {
            all.add(MappedPartition.active(p(number), new PartitionUri(false, "r" + number, 6379, 0, null, null), 1));
            weights.put(p(number), 1);
        }
        return new PartitionMap(
                new MapStamp(Generation.CONFIGURED, 1),
                MapCommit.CONFIGURED,
                new MapContent(all, SlotTable.of(SlotMap.ofWeights(1, weights)), List.of()));
    }

    /** A cluster whose load follows a zipf distribution over slots, and whose autopilots decide each minute. */
    private static final class Cluster {
        private final Random random;
        private final List<Autopilot.Past> pasts = new ArrayList<>();
        private final List<Integer> ranks;
        private final Map<Integer, List<Long>> moved = new HashMap<>(); // minutes, by slot
        private final Map<Long, Integer> movedAt = new HashMap<>(); // slots, by minute
        private PartitionMap map = even(4);
        private SlotSet doubled = SlotSet.none();
        private Set<PartitionId> silent = Set.of();
        private long minute;
        private @Nullable Plan running;
        private long runsUntil;
        private Autopilot.@Nullable Decision last;
        private int conflicts;

        Cluster(long seed, int autopilots) {
            random = new Random(seed);
            ranks = IntStream.rangeClosed(1, HashSlot.COUNT).boxed().collect(Collectors.toCollection(ArrayList::new));
            shift();
            for (int i = 0; i < autopilots; i++) {
                pasts.add(Autopilot.Past.startingAfter(Instant.EPOCH));
            }
        }

        /** Other slots become the hot ones, and what a partition has now gets twice the load. */
        void shift() {
            Collections.shuffle(ranks, random);
            List<MappedPartition> active = map.askedPartitions();
            doubled = map.slots()
                    .slotsOf(active.get(random.nextInt(active.size())).name());
        }

        private PlanFacts facts() {
            Map<Integer, SlotLoad> loads = new HashMap<>();
            for (int slot = 0; slot < HashSlot.COUNT; slot++) {
                double noise = 0.9 + 0.2 * random.nextDouble();
                long calls = (doubled.contains(slot) ? 2 : 1) * (long) (ZIPF[ranks.get(slot) - 1] * noise);
                loads.put(slot, new SlotLoad(0, 0, calls, 0));
            }
            map.content().placements().slots().stream()
                    .forEach(slot -> loads.put(slot, new SlotLoad(0, 0, 900_000, 0)));
            return new PlanFacts(Map.of(), loads);
        }

        String lastReason() {
            return Objects.requireNonNull(last).reason();
        }

        void run(Duration time) {
            for (long end = minute + time.toMinutes(); minute < end; minute++) {
                if (running != null && minute >= runsUntil) {
                    finish();
                }
                Autopilot.Seen seen =
                        new Autopilot.Seen(BEGIN.plus(Duration.ofMinutes(minute)), map, facts(), silent, List.of());
                for (int i = 0; i < pasts.size(); i++) {
                    Autopilot.Decision decision = Autopilot.decide(seen, POLICY, pasts.get(i));
                    pasts.set(i, decision.past());
                    last = decision;
                    assertThat(decision.kind()).isNotEqualTo(Autopilot.Kind.STOP);
                    Plan plan = decision.plan();
                    if (plan != null) {
                        assertThat(silent).as("moves with a partition missing").isEmpty();
                        apply(plan);
                    }
                }
            }
        }

        /** As the map does: only a plan for the present map is accepted. */
        private void apply(Plan plan) {
            if (!plan.base().equals(map.stamp())) {
                conflicts++;
                return;
            }
            running = plan;
            runsUntil = minute + 1 + random.nextInt(9);
            map = map.next(BY, content -> {
                MapContent begun = content;
                for (PlannedMove move : plan.moves()) {
                    begun = begun.begin(Move.waiting(
                            idOf(plan, move), move.from(), move.to(), move.slots(), "none", MovePace.FULL));
                }
                return begun;
            });
        }

        private void finish() {
            Plan over = Objects.requireNonNull(running);
            running = null;
            for (PlannedMove move : over.moves()) {
                String id = idOf(over, move);
                map = map.next(BY, content -> content.prepare(id).startMoving(id));
                map = map.next(
                        BY,
                        content -> content.commit(id, move.slots()).settle(id).finish(id));
                move.slots().stream().forEach(this::count);
            }
        }

        private static String idOf(Plan plan, PlannedMove move) {
            return "m-" + plan.moves().indexOf(move);
        }

        private void count(int slot) {
            moved.computeIfAbsent(slot, first -> new ArrayList<>()).add(minute);
            movedAt.merge(minute, 1, Integer::sum);
        }

        void assertWithinLimits() {
            moved.forEach((slot, minutes) -> {
                for (int i = 1; i < minutes.size(); i++) {
                    assertThat(minutes.get(i) - minutes.get(i - 1))
                            .as("minutes between moves of %d", slot)
                            .isGreaterThanOrEqualTo(60);
                }
            });
            for (long from : movedAt.keySet()) {
                int within = movedAt.entrySet().stream()
                        .filter(each -> each.getKey() >= from && each.getKey() < from + 60)
                        .mapToInt(Map.Entry::getValue)
                        .sum();
                assertThat(within)
                        .as("slots within the hour from minute %d", from)
                        .isLessThanOrEqualTo(100);
            }
        }

        double worst() {
            PlanFacts facts = facts();
            long total = facts.load(map.slots().owned(), Measure.CALLS);
            long active =
                    map.partitions().stream().filter(MappedPartition::isActive).count();
            return map.partitions().stream()
                    .mapToDouble(each ->
                            (double) facts.load(map.slots().slotsOf(each.name()), Measure.CALLS) * active / total)
                    .max()
                    .orElseThrow();
        }
    }

    private static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("tests.autopilot.seeds", 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shiftingLoad_isBalancedAgainAndAgain_withinTheLimits(long seed) {
        Cluster cluster = new Cluster(seed, 1);
        for (int shift = 0; shift < 2; shift++) {
            assertThat(cluster.worst()).as("before").isGreaterThan(1.1);
            cluster.run(Duration.ofHours(6));
            assertThat(cluster.worst()).as(cluster.lastReason()).isLessThan(1.1);
            int moved = cluster.movedAt.values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            cluster.run(Duration.ofHours(1));
            assertThat(cluster.movedAt.values().stream()
                            .mapToInt(Integer::intValue)
                            .sum())
                    .as("a balanced load is left alone")
                    .isEqualTo(moved);
            cluster.shift();
        }
        cluster.assertWithinLimits();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ofTwoAutopilots_oneMoves_andBothKeepToOneBudget(long seed) {
        Cluster cluster = new Cluster(seed, 2);
        cluster.run(Duration.ofHours(6));

        assertThat(cluster.worst()).isLessThan(1.1);
        assertThat(cluster.conflicts).isPositive();
        cluster.assertWithinLimits();
    }

    @Test
    void partitionThatIsLostInTheMiddle_isWaitedFor() {
        Cluster cluster = new Cluster(5, 1);
        cluster.run(Duration.ofMinutes(30));
        cluster.silent = Set.of(p(2));
        cluster.run(Duration.ofHours(2));
        assertThat(cluster.lastReason()).isEqualTo("p2 does not answer");
        cluster.silent = Set.of();
        cluster.map = cluster.map.next(BY, content -> content.lose(p(2)));
        cluster.run(Duration.ofHours(1));
        assertThat(cluster.lastReason()).contains("p2 is lost: keyslot plan remove p2");

        Plan removed = new Planner(cluster.map, PlanFacts.NONE).remove(p(2));
        cluster.apply(removed);
        cluster.run(Duration.ofHours(8));

        assertThat(cluster.map.partition(p(2)).orElseThrow().mayOwn()).isFalse();
        assertThat(cluster.worst()).as(cluster.lastReason()).isLessThan(1.1);
    }

    // ---- single decisions

    private static final PartitionMap MAP = even(2);
    private static final Autopilot.Past NEW = Autopilot.Past.startingAfter(Instant.EPOCH);

    private static Autopilot.Seen uneven(String at) {
        Map<Integer, SlotLoad> loads = new HashMap<>();
        for (int slot = 0; slot < 100; slot++) {
            loads.put(slot, new SlotLoad(0, 0, 10, 0));
            loads.put(10_000 + slot, new SlotLoad(0, 0, 5, 0));
        }
        Map<PartitionId, PlanFacts.Memory> memory =
                Map.of(p(1), new PlanFacts.Memory(30, 100), p(2), new PlanFacts.Memory(82, 100));
        return new Autopilot.Seen(Instant.parse(at), MAP, new PlanFacts(memory, loads), Set.of(), List.of());
    }

    @Test
    void loadMustBeUnevenForAWhile_andWithinTheWindow() {
        AutopilotPolicy policy = AutopilotPolicy.read("{for: 10m, window: '22:00-05:00', zone: UTC}");

        Autopilot.Decision first = Autopilot.decide(uneven("2026-11-28T21:55:00Z"), policy, NEW);
        assertThat(first.reason())
                .isEqualTo(
                        "p1 has 66.7 % of all calls, and its share is 50.0 %; for 0s, must be for 10m; p2 is at 82 %,"
                                + " add a server");
        Autopilot.Decision later = Autopilot.decide(uneven("2026-11-28T05:00:00Z"), policy, first.past());
        assertThat(Autopilot.decide(uneven("2026-11-29T05:00:00Z"), policy, first.past())
                        .reason())
                .contains("outside of the window 22:00-05:00 UTC");
        assertThat(later.kind()).isEqualTo(Autopilot.Kind.WAIT);
        Autopilot.Decision move = Autopilot.decide(uneven("2026-11-28T22:05:00Z"), policy, first.past());
        assertThat(move.kind()).isEqualTo(Autopilot.Kind.MOVE);
        assertThat(move.reason()).contains("for 10m: ", " slots move");
        assertThat(Objects.requireNonNull(move.plan()).request())
                .isEqualTo("autopilot: p1 has 66.7 % of all calls, and its share is 50.0 %");
    }

    @Test
    void longPause_stopsIt_andUnknownPlansOfOthers_areWaitedFor() {
        AutopilotPolicy policy = AutopilotPolicy.read("{for: 1ms, longestPause: 100ms}");
        Autopilot.Past past =
                Autopilot.decide(uneven("2026-11-28T01:00:00Z"), policy, NEW).past();

        Autopilot.Decision stopped =
                Autopilot.decide(uneven("2026-11-28T01:10:00Z"), policy, past.paused(Duration.ofMillis(101)));
        assertThat(stopped.kind()).isEqualTo(Autopilot.Kind.STOP);
        assertThat(stopped.reason()).contains("writes have paused for 0.101s in a move, more than 0.1s");
        Autopilot.Past started = Autopilot.Past.startingAfter(Instant.parse("2026-11-28T00:30:00Z"));
        Autopilot.Past waiting = Autopilot.decide(uneven("2026-11-28T01:00:00Z"), policy, started)
                .past();
        assertThat(Autopilot.decide(uneven("2026-11-28T01:29:00Z"), policy, waiting)
                        .reason())
                .contains("not before 2026-11-28T01:30:00Z");
        assertThat(Autopilot.decide(uneven("2026-11-28T01:30:00Z"), policy, waiting)
                        .kind())
                .isEqualTo(Autopilot.Kind.MOVE);
    }

    @Test
    void policy_isReadWithAllProblems() {
        assertThat(AutopilotPolicy.read("by: memory\nabove: 15%\nevery: 30s\n"))
                .returns(Measure.BYTES, AutopilotPolicy::by)
                .returns(0.15, AutopilotPolicy::above)
                .returns(Duration.ofSeconds(30), AutopilotPolicy::every)
                .returns(AutopilotPolicy.DEFAULTS.slotsPerHour(), AutopilotPolicy::slotsPerHour);
        assertThatThrownBy(() -> AutopilotPolicy.read("by: keys\nabove: 0%\nfor: soon\nwindow: night\nbelow: 3"))
                .hasMessageContainingAll(
                        "by is keys, must be calls or memory",
                        "above is 0%, must be from 1% to 1000%",
                        "for is soon, must be a duration such as 10m",
                        "window is night, must be two times such as 01:00-05:00",
                        "below is unknown");
        assertThatThrownBy(() -> AutopilotPolicy.read("[")).hasMessage("The policy is not YAML");
        assertThatThrownBy(() -> AutopilotPolicy.read("calls")).hasMessageContaining("is not a mapping");
    }
}
