// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.config.Counted;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Peer;
import io.keyslot.cluster.move.Estimate;
import io.keyslot.cluster.move.MoveProgress.Amount;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlannedMove;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks with the partitions whether a plan can succeed. Changes nothing. For one thread. */
final class PlanCheck {
    /** A connection that has not reported its map version by then never will. */
    private static final long SECONDS_TO_ENTER = 30;

    private final Instances instances;
    private final PartitionMap map;
    private final Plan plan;
    private final MapContent begun;
    private final List<String> problems = new ArrayList<>();

    PlanCheck(Instances instances, PartitionMap map, Plan plan) {
        this.instances = instances;
        this.map = map;
        this.plan = plan;
        this.begun = plan.begin(map.content());
    }

    /** Returns the estimated amount to copy; throws {@link RefusedException} with all objections. */
    Amount require() {
        asked().forEach(this::look);
        if (problems.isEmpty()) {
            lookForSecondNames();
        }
        Amount all = problems.isEmpty() ? weigh() : Amount.NONE;
        if (!problems.isEmpty()) {
            throw new RefusedException("The plan is not applied: " + String.join("; ", problems));
        }
        return all;
    }

    private List<MappedPartition> asked() {
        return begun.partitions().stream().filter(MappedPartition::isAsked).toList();
    }

    private boolean isNew(MappedPartition partition) {
        return map.partition(partition.name()).filter(MappedPartition::isAsked).isEmpty();
    }

    /** Existing partitions come first, because new ones are compared with them. */
    private void lookForSecondNames() {
        List<MappedPartition> added = asked().stream().filter(this::isNew).toList();
        if (added.isEmpty()) {
            return;
        }
        SecondNames names = new SecondNames(instances);
        try {
            asked().stream().filter(partition -> !isNew(partition)).forEach(names::know);
            for (MappedPartition partition : added) {
                names.add(partition)
                        .ifPresent(same -> problems.add(
                                ("%s at %s cannot be added: the instance is %s already. An instance may have several names and"
                                                + " addresses, and is one partition under all of them: give %s an instance of"
                                                + " its own")
                                        .formatted(
                                                partition.name(), partition.address(), same.name(), partition.name())));
            }
        } catch (SilentException silent) {
            problems.add("it is unknown whether the added server is another instance: " + silent.getMessage());
        }
    }

    private void look(MappedPartition partition) {
        Optional<String> objection =
                isNew(partition) ? instances.objection(partition, Adoption.UNUSED) : Optional.empty();
        if (objection.isPresent()) {
            problems.add(
                    "%s at %s cannot be added: %s".formatted(partition.name(), partition.address(), objection.get()));
            return;
        }
        try {
            inspect(partition);
        } catch (SilentException silent) {
            problems.add(silent.getMessage());
        }
    }

    private void inspect(MappedPartition partition) {
        int fences =
                instances.ask(partition, new FenceCommand.ReadFences()).slots().size();
        if (fences > 0) {
            problems.add("%s has fences of %s, and the map has no move: see keyslot check"
                    .formatted(partition.name(), Counted.of(fences, "slot")));
        }
        PartitionId name = partition.name();
        if (plan.moves().stream()
                .anyMatch(move -> move.from().equals(name) || move.to().equals(name))) {
            instances.ask(partition, new SlotTransfer.ListClients()).stream()
                    .filter(PlanCheck::isTooOld)
                    .findFirst()
                    .ifPresent(peer -> problems.add(
                            "%s has a client that does not say by which map it routes, and cannot follow a move: %s"
                                    .formatted(name, peer.name())));
        }
    }

    private static boolean isTooOld(Peer peer) {
        return peer.isOurs()
                ? peer.mapVersion() == Peer.ENTERING && peer.ageSeconds() > SECONDS_TO_ENTER
                : peer.name().startsWith("keyslot:");
    }

    private Amount weigh() {
        Map<PartitionId, Long> bytes = new LinkedHashMap<>();
        Amount all = Amount.NONE;
        try {
            for (PlannedMove move : plan.moves()) {
                if (partition(move.from()).isLost()) {
                    continue; // nothing to copy
                }
                Amount amount = Estimate.of(
                        instances.at(partition(move.from())),
                        key -> move.slots().contains(map.slotOf(key)) && (plan.drain() == null || key.isOfGroup()));
                bytes.merge(move.to(), amount.bytes(), Long::sum);
                all = all.plus(amount);
            }
            bytes.forEach((target, moved) -> Estimate.shortage(instances.at(partition(target)), moved)
                    .ifPresent(shortage -> problems.add(target + " has too little memory: " + shortage)));
        } catch (SilentException silent) {
            problems.add(silent.getMessage());
        }
        return all;
    }

    private MappedPartition partition(PartitionId name) {
        return begun.partition(name)
                .orElseThrow(() -> new RefusedException("The plan names %s, which is no partition".formatted(name)));
    }
}
