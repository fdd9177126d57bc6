// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.config.PartitionForms.Draft;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code engine} and {@code partitions}, and checks that they fit together. */
record PartitionsReader(Section root) {
    private static final int MOST_SHOWN = 5;
    private static final String ENGINE = "engine";
    private static final String PARTITIONS = "partitions";

    /** The engine and its partitions; incomplete after a problem. */
    record Layout(Engine engine, List<Draft> drafts) {
        Set<String> names() {
            return (drafts.isEmpty()
                            ? ClientOptions.embeddedDefaults().partitions().stream()
                                    .map(PartitionOptions::name)
                            : drafts.stream().map(Draft::id))
                    .map(PartitionId::name)
                    .collect(Collectors.toSet());
        }

        boolean isEncrypted() {
            return drafts.stream().map(Draft::uri).anyMatch(uri -> uri != null && uri.tls());
        }

        List<PartitionOptions> partitions(Access others) {
            return drafts.isEmpty()
                    ? ClientOptions.embeddedDefaults().partitions()
                    : drafts.stream().map(draft -> draft.toOptions(others)).toList();
        }
    }

    Layout read() {
        Optional<Engine> chosen = root.read(ENGINE, Engine.class);
        List<Draft> drafts = root.node(PARTITIONS)
                .map(node -> new PartitionForms(root).read(node))
                .orElse(List.of());
        // Addresses imply engine instances.
        boolean addressed = drafts.stream().anyMatch(Draft::addressed);
        Engine engine = chosen.orElse(addressed ? Engine.INSTANCES : Engine.EMBEDDED);
        checkEngine(engine, drafts, addressed);
        checkReplicas(engine, drafts);
        if (engine == Engine.CLUSTER) {
            checkCluster(drafts);
        } else {
            checkShares(drafts);
        }
        return new Layout(engine, drafts);
    }

    private void checkReplicas(Engine engine, List<Draft> drafts) {
        for (Draft draft : drafts) {
            if (engine != Engine.INSTANCES && !draft.replicas().isEmpty()) {
                problem(draft, "has replicas, which only engine instances reads: leave them away");
            }
        }
    }

    private void checkEngine(Engine engine, List<Draft> drafts, boolean addressed) {
        if (engine.isAddressed()) {
            checkAddresses(engine.name().toLowerCase(Locale.ROOT), drafts, addressed);
        } else if (addressed) {
            root.problem(
                    ENGINE,
                    "is embedded, but partitions have addresses: leave engine away, or leave the addresses away");
        }
    }

    private void checkAddresses(String engine, List<Draft> drafts, boolean addressed) {
        if (root.node(PARTITIONS).isEmpty()) {
            root.problem(
                    ENGINE,
                    "is %s, but there are no partitions: list their addresses under partitions".formatted(engine));
        } else if (!addressed && !drafts.isEmpty()) {
            root.problem(
                    PARTITIONS,
                    "has no addresses, which engine %s needs: write redis://host:port for each".formatted(engine));
        } else {
            drafts.stream()
                    .filter(draft -> !draft.addressed())
                    .forEach(draft -> problem(draft, "has no address, which engine %s needs".formatted(engine)));
            checkDistinct(drafts);
        }
    }

    private void checkDistinct(List<Draft> drafts) {
        Map<String, Draft> byAddress = new HashMap<>();
        for (Draft draft : drafts) {
            if (draft.uri() == null) {
                continue;
            }
            Draft first = byAddress.putIfAbsent(draft.uri().address(), draft);
            if (first != null) {
                problem(
                        draft,
                        "has the address of %s: each partition needs an instance of its own".formatted(first.path()));
            }
        }
    }

    /** Refuses settings that have no meaning with engine cluster, where the servers own the slots. */
    private void checkCluster(List<Draft> seeds) {
        for (Draft seed : seeds) {
            if (seed.weight() != null || seed.slots() != null) {
                problem(
                        seed,
                        "has a weight or slots, but engine is cluster, where the servers own the slots:"
                                + " leave them away");
            }
            if (seed.uri() != null && seed.uri().sentinels() != null) {
                problem(seed, "names sentinels, but engine is cluster, which has none: name nodes");
            }
            if (seed.uri() != null && seed.uri().database() != 0) {
                problem(
                        seed,
                        "names database %d, but engine is cluster, which has database 0 only"
                                .formatted(seed.uri().database()));
            }
        }
        if (seeds.stream().anyMatch(seed -> seed.uri() != null && seed.uri().tls())
                && seeds.stream()
                        .anyMatch(seed -> seed.uri() != null && !seed.uri().tls())) {
            root.problem("partitions", "has nodes of one cluster with and without encryption: write one of the two");
        }
        refuse("catalogue", "the servers say who owns which slot");
        refuse("placements", "the servers own the slots, and hash every key");
        refuse("trafficReports", "Keyslot does not move slots of a cluster");
    }

    private void refuse(String setting, String reason) {
        if (root.node(setting).isPresent()) {
            root.problem(setting, "makes no sense with engine cluster, where %s: leave it away".formatted(reason));
        }
    }

    /** Checks the shares of the slots: by weights, or by slots that cover everything once. */
    private void checkShares(List<Draft> drafts) {
        Optional<Draft> bySlots =
                drafts.stream().filter(draft -> draft.slots() != null).findFirst();
        if (bySlots.isEmpty()) {
            checkWeights(drafts);
        } else if (allBySlots(drafts, bySlots.get())) {
            checkCover(drafts);
        }
    }

    private boolean allBySlots(List<Draft> drafts, Draft example) {
        for (Draft draft : drafts) {
            if (draft.slots() != null && draft.weight() != null) {
                problem(draft, "has a weight and slots, must have one or the other");
            } else if (draft.weight() != null) {
                problem(
                        draft,
                        "has a weight, but %s has slots: use one or the other for all partitions"
                                .formatted(example.path()));
            } else if (draft.slots() == null) {
                problem(
                        draft,
                        "has no slots, but %s has: give slots to all partitions or to none".formatted(example.path()));
            }
        }
        return drafts.stream().allMatch(draft -> draft.slots() != null && draft.weight() == null);
    }

    private void checkWeights(List<Draft> drafts) {
        Map<PartitionId, Integer> weights = new LinkedHashMap<>();
        drafts.forEach(draft -> weights.put(draft.id(), draft.weight() == null ? 1 : draft.weight()));
        if (weights.isEmpty()) {
            return;
        }
        if (weights.values().stream().allMatch(weight -> weight == 0)) {
            root.problem("partitions", "leaves all slots without an owner: at least one weight must be above 0");
            return;
        }
        SlotMap map = SlotMap.ofWeights(1, weights);
        drafts.stream()
                .filter(draft ->
                        map.slotsOf(draft.id()) == 0 && !Integer.valueOf(0).equals(draft.weight()))
                .forEach(draft ->
                        problem(draft, "would own no slot: its weight is too small beside those of the others"));
    }

    private void checkCover(List<Draft> drafts) {
        BitSet covered = new BitSet(HashSlot.COUNT);
        boolean complete = true;
        for (Draft draft : drafts) {
            List<SlotRange> ranges = draft.slots() == null ? List.of() : draft.slots();
            complete &= !ranges.isEmpty();
            BitSet twice = claim(ranges, covered);
            if (!twice.isEmpty()) {
                root.problems()
                        .add(draft.where(), draft.path() + ".slots has slots that were given before: " + text(twice));
            }
        }
        covered.flip(0, HashSlot.COUNT);
        // Unreadable slots are a problem already, and not reported as missing.
        if (complete && !covered.isEmpty()) {
            root.problem("partitions", "leaves slots without an owner: " + text(covered));
        }
    }

    private void problem(Draft draft, String predicate) {
        root.problems().add(draft.where(), draft.path() + " " + predicate);
    }

    /** Adds the ranges to the covered slots, and returns the slots that were covered before. */
    private static BitSet claim(List<SlotRange> ranges, BitSet covered) {
        BitSet twice = new BitSet(HashSlot.COUNT);
        for (SlotRange range : ranges) {
            BitSet before = new BitSet(HashSlot.COUNT);
            before.set(range.first(), range.last() + 1);
            before.and(covered);
            twice.or(before);
            covered.set(range.first(), range.last() + 1);
        }
        return twice;
    }

    private static String text(BitSet slots) {
        List<String> ranges = new ArrayList<>();
        int first = slots.nextSetBit(0);
        while (first >= 0 && ranges.size() < MOST_SHOWN) {
            int end = slots.nextClearBit(first);
            ranges.add(new SlotRange(first, end - 1).toString());
            first = slots.nextSetBit(end);
        }
        return String.join(",", ranges) + (first < 0 ? "" : " and more");
    }
}
