// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
        name = "clients",
        description = "Lists the clients of each partition, with the version of the map that each of them uses.",
        footer = {
            "",
            "A process has the same name at all partitions, and one line for each connection. A client that is still"
                    + " connecting has no version. Exits with 1 if a partition does not answer.",
            "",
            "Example:",
            "  keyslot clients --config keyslot.yaml"
        })
final class ClientsCommand extends OperatorCommand {
    private static final String OURS = "keyslot:";

    ClientsCommand(Terminal terminal) {
        super(terminal);
    }

    private record Row(String partition, String client, long mapVersion, long ageSeconds) {
        Map<String, ?> fields() {
            return Map.of("partition", partition, "client", client, "map", mapVersion, "seconds", ageSeconds);
        }
    }

    @Override
    public Integer call() {
        List<String> silent = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        try (OpenCatalogue catalogue = connection.catalogue();
                Instances instances = new Instances(catalogue)) {
            for (MappedPartition partition : catalogue.newest().askedPartitions()) {
                try {
                    instances.ask(partition, new SlotTransfer.ListClients()).stream()
                            .filter(SlotTransfer.Peer::isOurs)
                            .map(peer -> row(partition, peer))
                            .sorted(Comparator.comparing(Row::client))
                            .forEach(rows::add);
                } catch (SilentException e) {
                    silent.add(partition.name().name());
                    ErrorLine.print(terminal, "Partition does not answer: " + e.getMessage());
                }
            }
            String newest = catalogue.newest().stamp().toString();
            List<?> clients = rows.stream().map(Row::fields).toList();
            print(() -> Map.of("map", newest, "clients", clients), () -> lines(rows, silent, newest));
        }
        return silent.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private static Row row(MappedPartition partition, SlotTransfer.Peer peer) {
        String name = peer.name().startsWith(OURS) ? peer.name().substring(OURS.length()) : peer.name();
        int version = name.lastIndexOf(':');
        return new Row(
                partition.name().name(),
                version < 0 ? name : name.substring(0, version),
                peer.mapVersion(),
                peer.ageSeconds());
    }

    private static List<String> lines(List<Row> rows, List<String> silent, String newest) {
        Table table = new Table("Partition", "Client", "Map", "Seconds");
        rows.forEach(row -> table.row(
                row.partition(),
                row.client(),
                row.mapVersion() == SlotTransfer.Peer.ENTERING ? "-" : Amounts.count(row.mapVersion()),
                Amounts.count(row.ageSeconds())));
        silent.forEach(partition -> table.row(partition, "silent", "-", "-"));
        List<String> lines = new ArrayList<>(List.of("Map " + newest));
        lines.addAll(table.lines());
        return lines;
    }
}
