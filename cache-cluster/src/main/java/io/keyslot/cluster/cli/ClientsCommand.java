// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.cluster.terminal.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
        name = "clients",
        description = "Lists the clients of each partition, with the version of the map that each of them uses.",
        footer = {
            "A process has the same name at all partitions, and one line for each connection. A client that is still"
                    + " connecting has no version. Exits with 1 if a partition does not answer.",
            "  keyslot clients --config keyslot.yaml"
        })
final class ClientsCommand extends OperatorCommand {
    private static final String OURS = "keyslot:";

    @Override
    public Integer call() {
        List<String> silent = new ArrayList<>();
        Table table = new Table("Partition=partition", "Client=client", "Map=map", "Seconds=seconds");
        try (OpenCatalogue catalogue = connection.catalogue();
                Instances instances = new Instances(catalogue)) {
            for (MappedPartition partition : catalogue.newest().askedPartitions()) {
                try {
                    instances.ask(partition, new SlotTransfer.ListClients()).stream()
                            .filter(SlotTransfer.Peer::isOurs)
                            .sorted(Comparator.comparing(ClientsCommand::nameOf))
                            .forEach(peer ->
                                    table.row(partition.name().name(), nameOf(peer), mapOf(peer), peer.ageSeconds()));
                } catch (SilentException e) {
                    silent.add(partition.name().name());
                    ErrorLine.print(terminal(), "Partition does not answer: " + e.getMessage());
                }
            }
            String newest = catalogue.newest().stamp().toString();
            print(() -> Map.of("map", newest, "clients", table.documents()), () -> {
                silent.forEach(partition -> table.row(partition, "silent", null, null));
                List<String> lines = new ArrayList<>(List.of("Map " + newest));
                lines.addAll(table.lines());
                return lines;
            });
        }
        return silent.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private static String nameOf(SlotTransfer.Peer peer) {
        String name = peer.name().startsWith(OURS) ? peer.name().substring(OURS.length()) : peer.name();
        int version = name.lastIndexOf(':');
        return version < 0 ? name : name.substring(0, version);
    }

    private static Object mapOf(SlotTransfer.Peer peer) {
        long version = peer.mapVersion();
        return version == SlotTransfer.Peer.ENTERING ? new Table.Cell(version, "-") : version;
    }
}
