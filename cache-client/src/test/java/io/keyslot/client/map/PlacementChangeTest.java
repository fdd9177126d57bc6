// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.Given;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlacementChangeTest {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final PartitionId P3 = new PartitionId("p3");
    private static final MapCommit BY = new MapCommit("op", "maria", "", Instant.EPOCH);
    private static final SlotSet HASHED = SlotSet.of(new SlotRange(0, 16_383));

    private PartitionMap map = ConfiguredMap.of(Given.defaults());

    private void change(UnaryOperator<MapContent> change) {
        map = map.next(BY, change);
    }

    private static Placement tenants(Map<String, PlacementTarget> list) {
        return new Placement("tenant", null, list, List.of(), Placement.Otherwise.HASH);
    }

    /** A slot for each owner of hash slots. */
    private Spread byOwners() {
        return Spread.byShares(map.slots().slots().values().stream()
                .map(slots -> slots.and(HASHED))
                .filter(slots -> !slots.isEmpty())
                .toList());
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("tests.seeds", 2));
    }

    @Test
    void mapThatGivesKeysAway_isNoSuccessor() {
        Placement acme = tenants(Map.of("acme", PlacementTarget.of(16_384, 1)));
        PartitionMap after = map.next(BY, content -> FirstPlacements.with(content, acme, P2));

        assertThat(MapRules.problemsBetween(map, after))
                .anyMatch(problem -> problem.contains("would get another owner"))
                .contains("slot 16384 has keys that are at p1, and is given to p2");
    }

    /** Whatever becomes what: of thousands of keys, none has another owner after a change that is allowed. */
    @ParameterizedTest
    @MethodSource("io.keyslot.client.map.PlacementChangeTest#seeds")
    void noKey_everGetsAnotherOwner_byAPlacement(long seed) {
        Random random = new Random(seed);
        int allowed = 0;
        int refused = 0;
        for (int step = 0; step < 400; step++) {
            PartitionMap before = map;
            try {
                change(content -> content.place(random(random, content)));
                allowed++;
            } catch (InvalidMapException e) {
                refused++;
            }
            for (EncodedKey key : keys(random)) {
                assertThat(map.ownerOf(map.slotOf(key)))
                        .as("seed %d step %d key %s", seed, step, key.text())
                        .isEqualTo(before.ownerOf(before.slotOf(key)));
            }
            if (random.nextInt(3) == 0) {
                SlotSet placed = map.slots().owned().minus(HASHED);
                PartitionId owner = List.of(P1, P2, P3).get(random.nextInt(3));
                SlotSet some = SlotSet.of(placed.stream().filter(slot -> random.nextInt(3) > 0));
                change(content -> FirstPlacements.give(content, some, owner));
            }
        }
        assertThat(allowed).isGreaterThan(20);
        assertThat(refused).isGreaterThan(20);
    }

    private Placement random(Random random, MapContent content) {
        Placement present = content.placements()
                .of("tenant")
                .orElseGet(() -> new Placement("tenant", null, Map.of(), List.of(), Placement.Otherwise.HASH));
        Map<String, PlacementTarget> list = new TreeMap<>(present.list());
        String id = Integer.toString(random.nextInt(4));
        switch (random.nextInt(4)) {
            case 0 -> list.remove(id);
            default -> list.put(id, target(random));
        }
        List<Placement.PlacedRange> ranges = new ArrayList<>(present.ranges());
        if (random.nextInt(3) == 0) {
            ranges.clear();
            int low = random.nextInt(5);
            for (int range = random.nextInt(4); range > 0; range--) {
                int high = low + 1 + random.nextInt(3);
                ranges.add(new Placement.PlacedRange(Integer.toString(low), Integer.toString(high), target(random)));
                low = high + random.nextInt(2);
            }
        }
        return new Placement(
                "tenant",
                ranges.isEmpty() ? null : RangeType.NUMBER,
                list,
                ranges,
                random.nextBoolean() ? Placement.Otherwise.HASH : Placement.Otherwise.REFUSE);
    }

    private PlacementTarget target(Random random) {
        Spread spread = random.nextInt(3) > 0 ? byOwners() : Spread.over(1 << random.nextInt(4));
        return PlacementTarget.of(16_384 + 8 * random.nextInt(12), spread);
    }

    private static List<EncodedKey> keys(Random random) {
        List<EncodedKey> keys = new ArrayList<>();
        for (int number = 0; number < 40; number++) {
            String id = random.nextInt(14) + (random.nextBoolean() ? "" : "," + random.nextInt(1000));
            keys.add(EncodedKey.of(random.nextBoolean() ? "tenant:" + id : "order:{tenant:" + id + "}:7"));
        }
        keys.add(EncodedKey.of("tenant:x"));
        keys.add(EncodedKey.of("other:" + random.nextInt(1000)));
        return keys;
    }
}
