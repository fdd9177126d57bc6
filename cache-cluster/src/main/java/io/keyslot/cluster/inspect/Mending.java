// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.catalogue.InstancesCatalogue;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.config.Counted;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Repairs a {@link Finding} without effects on applications: stores copies of the map, and removes fences that no
 * client asks for any more. For one thread.
 */
public record Mending(OpenCatalogue catalogue) {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** A client looks for a newer map at least every six seconds. */
    private static final Duration LONGEST_TO_FOLLOW = Duration.ofSeconds(7);

    private static final Duration PAUSE = Duration.ofMillis(50);

    public String mend(Finding finding) {
        try {
            return finding.kind() == Finding.Kind.COPY_BEHIND
                    ? giveCopies()
                    : takeFencesAway(new PartitionId(finding.about()));
        } catch (MapStore.UnavailableException | SilentException e) {
            return "not done: " + e.getMessage();
        }
    }

    private String giveCopies() {
        if (!(catalogue.catalogue() instanceof InstancesCatalogue instances)) {
            return "nothing to do";
        }
        int have = catalogue.time().await(instances.giveCopies(), LONGEST, () -> 0);
        return "done: the newest copy is at " + Counted.of(have, "instance");
    }

    private String takeFencesAway(PartitionId name) throws MapStore.UnavailableException {
        MappedPartition partition = catalogue
                .maps()
                .read()
                .partition(name)
                .orElseThrow(() -> new MapStore.UnavailableException("the map has no partition " + name));
        try (Instances instances = new Instances(catalogue)) {
            FenceCommand.Fences there = instances.ask(partition, new FenceCommand.ReadFences());
            PartitionMap map = catalogue.maps().read(); // after the fences: a move is in the map before it has any
            long behind = behind(instances, partition, map);
            if (behind > 0) {
                return "not done: %s there without map %s; try again in some seconds"
                        .formatted(Counted.of(behind, "client"), map.stamp());
            }
            int taken = 0;
            for (Map.Entry<String, Map<Integer, SlotFence>> stray :
                    Inspection.stray(there, map).entrySet()) {
                Map<Integer, Long> slots = new HashMap<>();
                stray.getValue().forEach((slot, fence) -> slots.put(slot, fence.ownership()));
                boolean isDone = instances.ask(
                        partition,
                        new FenceCommand.SetFence(
                                slots,
                                new FenceCommand.From(EnumSet.allOf(SlotFence.State.class), true),
                                new FenceCommand.To(null, stray.getKey(), 0),
                                there.coordinator(stray.getKey())));
                taken += isDone ? slots.size() : 0;
            }
            return "done: removed " + Counted.of(taken, "fence");
        }
    }

    private long behind(Instances instances, MappedPartition partition, PartitionMap map) {
        Deadline end = Deadline.after(catalogue.time().ticker(), LONGEST_TO_FOLLOW);
        while (true) {
            long behind = instances.ask(partition, new SlotTransfer.ListClients()).stream()
                    .filter(peer -> peer.isBehind(map.version()))
                    .count();
            if (behind == 0 || end.remainingNanos() <= 0) {
                return behind;
            }
            catalogue.time().waiter().pause(PAUSE);
        }
    }
}
