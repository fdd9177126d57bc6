// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.config.Access;
import io.keyslot.client.config.Login;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.topology.Layout;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a client needs of a map. Pure.
 *
 * <p>A map holds no secrets. Who is configured by the same name and at the same address is reached as configured; everybody else
 * with the login of the configuration, or, if it names none, with that which all configured partitions have in common.
 *
 * @param configured the partitions of the configuration
 * @param others who we are at partitions that are not configured
 */
public record MapLayouts(List<PartitionOptions> configured, Access others) implements Function<PartitionMap, Layout> {
    public MapLayouts {
        configured = List.copyOf(configured);
    }

    @Override
    public Layout apply(PartitionMap map) {
        return new Layout(
                map.slotMap(),
                map.askedPartitions().stream().map(this::options).toList(),
                onTheirWay(map),
                map.content().placements().forRouting(),
                unread(map));
    }

    /** Returns how a partition is reached. Weights and slots say what a configuration begins with; a map says who owns what. */
    public PartitionOptions options(MappedPartition partition) {
        PartitionUri address = partition.address();
        for (PartitionOptions known : configured) {
            PartitionUri uri = known.uri();
            if (known.name().equals(partition.name()) && uri != null && address != null && isAt(uri, address)) {
                return new PartitionOptions(
                        partition.name(), uri, 1, List.of(), known.access(), zone(partition, known), known.replicas());
            }
        }
        Login login = others.login().equals(Login.NONE) ? commonLogin() : others.login();
        return new PartitionOptions(
                partition.name(), address == null ? null : address.withDefault(login), 1, List.of(), others);
    }

    /** What the map says goes before what the configuration says: it is the same for all. */
    private static String zone(MappedPartition partition, PartitionOptions known) {
        return partition.labels().getOrDefault(MappedPartition.ZONE, known.zone());
    }

    private static boolean isAt(PartitionUri one, PartitionUri other) {
        return one.withoutLogin().equals(other.withoutLogin());
    }

    private Login commonLogin() {
        PartitionUri first = configured.isEmpty() ? null : configured.get(0).uri();
        if (first == null) {
            return Login.NONE;
        }
        Login login = new Login(first.username(), first.password());
        boolean isCommon = configured.stream()
                .map(PartitionOptions::uri)
                .allMatch(uri -> uri != null && login.equals(new Login(uri.username(), uri.password())));
        return isCommon ? login : Login.NONE;
    }

    /** Each slot that is moving or settling, with the one of the two partitions that does not own it. */
    private static Map<Integer, PartitionId> onTheirWay(PartitionMap map) {
        Map<Integer, PartitionId> others = new HashMap<>();
        for (Move move : map.moves()) {
            move.fenced().stream()
                    .forEach(slot -> others.put(slot, move.committed().contains(slot) ? move.from() : move.to()));
        }
        return others;
    }

    /**
     * Returns of which slots nobody reads copies at a partition: at the end of a move that does not own them, before it has begun and
     * when it is over. While slots are on their way nothing is copied there, so who knows that they are changes entries without a
     * look at copies. Who does not know it yet, or has heard already that they have arrived, must not find these copies.
     */
    public static Map<PartitionId, SlotSet> unread(PartitionMap map) {
        Map<PartitionId, SlotSet> unread = new HashMap<>();
        for (Move move : map.moves()) {
            PartitionId end = move.phase() == MovePhase.CLEANING ? move.from() : move.to();
            if (move.phase() != MovePhase.WAITING && move.phase() != MovePhase.MOVING) {
                unread.merge(end, move.slots(), SlotSet::plus);
            }
        }
        return unread;
    }
}
