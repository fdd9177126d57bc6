// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.client.partition.SlotTransfer.Peer;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.MoveReport;
import io.keyslot.cluster.operator.MoveReports;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads the state of the partitions of the newest map on request. Changes nothing. For one thread. */
public final class ClusterSurvey implements AutoCloseable {
    private static final String TOOLS = "keyslot:operator-";

    private final OpenCatalogue catalogue;
    private final Instances instances;
    private final MoveReports reports;

    public ClusterSurvey(OpenCatalogue catalogue) {
        this.catalogue = catalogue;
        this.instances = new Instances(catalogue);
        this.reports = new MoveReports(catalogue);
    }

    public SeenCluster look() {
        List<String> notes = new ArrayList<>();
        List<MoveReport> moves = moves(notes);
        PartitionMap map = catalogue.newest();
        List<SeenPartition> partitions =
                map.partitions().stream().map(each -> look(map, each)).toList();
        partitions.stream()
                .map(SeenPartition::problem)
                .filter(problem -> !problem.isEmpty())
                .forEach(notes::add);
        return new SeenCluster(map, partitions, moves, notes);
    }

    private List<MoveReport> moves(List<String> notes) {
        try {
            return reports.all();
        } catch (MapStore.UnavailableException e) {
            notes.add("the map cannot be read, this is the newest that was seen: " + e.getMessage());
            return List.of();
        }
    }

    private SeenPartition look(PartitionMap map, MappedPartition partition) {
        int slots = map.slots().slotsOf(partition.name()).size();
        if (!partition.isAsked()) {
            return new SeenPartition(partition, slots, Duration.ZERO, null, null, "");
        }
        SeenPartition.Clients clients = null;
        String problem = "";
        try {
            clients = clients(instances.ask(partition, new SlotTransfer.ListClients()), map.version());
        } catch (SilentException e) {
            problem = String.valueOf(e.getMessage()); // a right may be missing
        }
        long before = catalogue.time().nanos(); // connected by now
        try {
            MemoryUse memory = instances.ask(partition, new SlotTransfer.Memory());
            return new SeenPartition(partition, slots, catalogue.time().since(before), memory, clients, problem);
        } catch (SilentException e) {
            return new SeenPartition(partition, slots, Duration.ZERO, null, clients, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns the processes of applications, and whether they may still route by a map older than the version. A process may
     * have several connections. Programs such as this one are not clients.
     */
    public static Map<String, Boolean> processes(List<Peer> peers, long version) {
        return peers.stream()
                .filter(peer -> peer.isOurs() && !peer.name().startsWith(TOOLS))
                .collect(Collectors.toMap(
                        ClusterSurvey::processOf, peer -> peer.isBehind(version), (one, other) -> one || other));
    }

    private static SeenPartition.Clients clients(List<Peer> peers, long version) {
        Map<String, Boolean> behind = processes(peers, version);
        int late = (int) behind.values().stream().filter(Boolean::booleanValue).count();
        return new SeenPartition.Clients(behind.size(), late);
    }

    private static String processOf(Peer peer) {
        int version = peer.name().lastIndexOf(':');
        return version < 0 ? peer.name() : peer.name().substring(0, version);
    }

    @Override
    public void close() {
        reports.close();
        instances.close();
    }
}
