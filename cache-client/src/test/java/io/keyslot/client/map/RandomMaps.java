// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.register.Generation;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Maps as an operator and coordinators make them, step by step, from a seed. */
public final class RandomMaps {
    private static final SlotSet HASHED = SlotSet.parse("0-16383");

    private final Random random;
    private PartitionMap map;
    private int names;
    private int refused;

    public RandomMaps(long seed) {
        this.random = new Random(seed);
        this.names = 1 + random.nextInt(5);
        Map<PartitionId, Integer> weights = new LinkedHashMap<>();
        List<MappedPartition> partitions = new ArrayList<>();
        for (int number = 1; number <= names; number++) {
            MappedPartition partition = partition(number);
            partitions.add(partition);
            weights.put(partition.name(), partition.weight());
        }
        SlotTable slots = SlotTable.of(SlotMap.ofWeights(1, weights));
        MapContent first = new MapContent(partitions, slots, List.of());
        this.map = new PartitionMap(
                new MapStamp(Generation.CONFIGURED, 1),
                MapCommit.CONFIGURED,
                random.nextBoolean() ? first : placed(first));
    }

    /** A configuration says where keys are before anything is stored. */
    private MapContent placed(MapContent first) {
        try {
            MapContent placed = FirstPlacements.with(
                    first, placement(first), random(first.partitions()).name());
            return MapRules.problemsOf(placed).isEmpty() ? placed : first;
        } catch (InvalidMapException e) {
            return first;
        }
    }

    private MappedPartition partition(int number) {
        PartitionUri address =
                new PartitionUri(random.nextBoolean(), "r" + number, 6379, random.nextInt(3), null, null);
        MappedPartition plain = MappedPartition.active(new PartitionId("p" + number), address, 1 + random.nextInt(9));
        return random.nextBoolean() ? plain : plain.withLabels(Map.of("region", random.nextBoolean() ? "eu" : "us"));
    }

    public PartitionMap map() {
        return map;
    }

    /** Returns how many steps were refused so far. */
    int refused() {
        return refused;
    }

    /** Goes on by one change, which may be refused, and returns the map then. */
    public PartitionMap step() {
        UnaryOperator<MapContent> change = change();
        try {
            map = map.next(commit(), change);
        } catch (InvalidMapException e) {
            refused++;
        }
        return map;
    }

    private MapCommit commit() {
        return new MapCommit(
                "op-" + Long.toHexString(random.nextLong()),
                random.nextBoolean() ? "maria" : "j\u00fcrgen \"x\"\n",
                random.nextBoolean() ? "" : "because \u2028 \ud83d\ude00 \\",
                Instant.ofEpochMilli(random.nextInt(Integer.MAX_VALUE) * 1000L + random.nextInt(1000)));
    }

    private UnaryOperator<MapContent> change() {
        if (!map.moves().isEmpty() && random.nextInt(3) > 0) {
            return ofMove(random(map.moves()));
        }
        PartitionId any = random(map.partitions()).name();
        return switch (random.nextInt(13)) {
            case 0 -> content -> content.add(partition(++names));
            case 1 -> content -> content.change(any, weighed -> weighed.withWeight(1 + random.nextInt(9)));
            case 2 -> content -> content.change(any, drained -> drained.withState(MappedPartition.Membership.DRAINING));
            case 3 -> content -> content.change(any, each -> each.withState(MappedPartition.Membership.ACTIVE));
            case 4 -> content -> content.remove(any);
            case 5 -> {
                int zone = random.nextInt(3);
                PartitionUri replica = new PartitionUri(false, "replica" + zone, 6379, 0, null, null);
                yield content -> content.label(any, Map.of("zone", "z" + zone))
                        .change(
                                any,
                                partition -> partition.withReplicas(
                                        zone == 0
                                                ? List.of()
                                                : List.of(new MappedPartition.Replica(replica, "z" + zone))));
            }
            case 6 -> content -> FirstPlacements.give(content, some(map.slots().owned()), any);
            case 7, 8 -> content -> content.place(placement(content));
            case 9 -> random.nextInt(4) > 0 ? content -> content.begin(move()) : content -> content.displace("t1");
            case 10 -> content -> random.nextInt(3) > 0 ? content.begin(move()) : content.lose(any);
            default -> content -> content.begin(move());
        };
    }

    private Placement placement(MapContent content) {
        Map<String, PlacementTarget> list = new LinkedHashMap<>();
        for (int entry = random.nextInt(4); entry > 0; entry--) {
            list.put("id\u00e4" + entry, target(content));
        }
        List<Placement.PlacedRange> ranges = new ArrayList<>();
        RangeType type = random.nextBoolean() ? RangeType.NUMBER : RangeType.TEXT;
        for (int range = random.nextInt(4); range > 0; range--) {
            String low = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1).high();
            ranges.add(new Placement.PlacedRange(low, Integer.toString(9 - range), target(content)));
        }
        Placement.Otherwise otherwise = random.nextBoolean() ? Placement.Otherwise.HASH : Placement.Otherwise.REFUSE;
        return new Placement("t" + random.nextInt(3), ranges.isEmpty() ? null : type, list, ranges, otherwise);
    }

    private PlacementTarget target(MapContent content) {
        int kind = random.nextInt(9);
        SortedMap<String, String> labels = new TreeMap<>(kind == 0 ? Map.of("region", "eu") : Map.<String, String>of());
        // As what is hashed can be given slots of its own: one for each owner.
        List<SlotSet> shares = content.slots().slots().values().stream()
                .map(slots -> slots.and(HASHED))
                .filter(slots -> !slots.isEmpty())
                .toList();
        Spread spread = random.nextInt(4) > 0 ? Spread.byShares(shares) : Spread.over(1 << random.nextInt(4));
        return new PlacementTarget(
                16_384 + 32 * random.nextInt(100),
                spread,
                labels,
                kind == 1 && spread.shares().isEmpty());
    }

    private Move move() {
        PartitionId from = random(map.partitions()).name();
        PartitionId to = random(map.partitions()).name();
        SlotSet slots = random.nextInt(9) == 0
                ? some(map.slots().owned())
                : some(map.slots().slotsOf(from));
        String id = "m" + map.version();
        return map.version() % 5 == 0
                ? Move.waiting(id, from, to, slots, "c1", new MovePace(7, 40, false))
                : Move.begun(id, from, to, slots, "c1")
                        .cold(map.version() % 3 == 0 ? Duration.ofMillis(map.version()) : null);
    }

    private UnaryOperator<MapContent> ofMove(Move move) {
        String id = move.id();
        return switch (random.nextInt(12)) {
            case 0 -> content -> content.abort(id);
            case 1 -> content -> content.takeOver(id, "c" + random.nextInt(9));
            case 2 -> content -> content.pace(id, pace -> pace.paused(!pace.isPaused()));
            case 3 -> content -> content.pace(id, pace -> pace.withRate(1 + random.nextInt(1 << 30)));
            case 4, 5 -> content -> content.startMoving(id);
            case 6 -> content -> content.commit(id, some(move.slots()));
            case 7 -> content -> content.commit(id, some(move.uncommitted()));
            case 8 -> content -> content.commit(id, move.uncommitted());
            case 9 -> content -> content.settle(id);
            default ->
                move.phase() == MovePhase.WAITING ? content -> content.prepare(id) : content -> content.finish(id);
        };
    }

    private SlotSet some(SlotSet all) {
        int most = random.nextBoolean() ? all.size() : Math.min(3, all.size());
        SlotSet ends =
                random.nextBoolean() ? all.lowest(random.nextInt(most + 1)) : all.highest(random.nextInt(most + 1));
        return random.nextInt(4) == 0 ? SlotSet.of(ends.stream().filter(slot -> slot % 7 != 0)) : ends;
    }

    private <T> T random(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }
}
