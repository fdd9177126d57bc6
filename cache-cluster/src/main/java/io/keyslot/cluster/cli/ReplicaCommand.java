// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.MappedPartition.Replica;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.KeyslotAdmin;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "replica",
        synopsisSubcommandLabel = "COMMAND",
        description = "Names replicas in the map, from which running clients then read, and removes them.",
        footer = {
            "Clients also use the replicas of their configuration, which are not shown here.",
            "  keyslot replica add r2=redis://10.0.1.2:6379 zone=b --config keyslot.yaml"
        })
final class ReplicaCommand extends TerminalCommand {
    @Command(
            name = "add",
            description = "Adds a replica of a partition, or changes its zone.",
            footer = "  keyslot replica add r2=redis://10.0.1.2:6379 zone=b --config keyslot.yaml")
    int add(
            @Parameters(index = "0", paramLabel = "<name>=<address>", description = "Without user and password.")
                    String replica,
            @Parameters(index = "1", arity = "0..1", paramLabel = "zone=<zone>", description = "Its network zone.")
                    @Nullable
                    String zone,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output)
            throws MapStore.UnavailableException {
        if (zone != null && !zone.startsWith("zone=")) {
            throw misused("Write zone=name, and not " + zone, null);
        }
        return change("add", replica, connection, output, (all, address) -> {
            all.removeIf(known -> known.address().equals(address));
            all.add(new Replica(address, zone == null ? "" : zone.substring("zone=".length())));
        });
    }

    @Command(
            name = "remove",
            description = "Removes a replica of a partition from the map.",
            footer = {
                "Exits with 5 if the map does not have it.",
                "  keyslot replica remove r2=redis://10.0.1.2:6379 --config keyslot.yaml"
            })
    int remove(
            @Parameters(paramLabel = "<name>=<address>", description = "A replica of the map.") String replica,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOptions output)
            throws MapStore.UnavailableException {
        return change("remove", replica, connection, output, (all, address) -> {
            if (!all.removeIf(known -> known.address().equals(address))) {
                throw new RefusedException(
                        "Nothing was changed: the map has no replica %s; those of a configuration are removed there"
                                .formatted(replica));
            }
        });
    }

    private int change(
            String word,
            String replica,
            ConnectionOptions connection,
            OutputOptions output,
            BiConsumer<List<Replica>, PartitionUri> change)
            throws MapStore.UnavailableException {
        String[] parts = replica.split("=", 2);
        if (parts.length < 2) {
            throw misused("Write name=address, such as r2=redis://10.0.1.2:6379", null);
        }
        PartitionUri named;
        try {
            named = new Replica(PartitionUriParser.uri(parts[1]), "").address();
        } catch (IllegalArgumentException e) {
            throw misused(ErrorLine.messageOf(e), e);
        }
        try (KeyslotAdmin admin = new KeyslotAdmin(OpenCatalogue.changeable(connection.options()))) {
            PartitionMap map = admin.change(
                    "replica",
                    "replica %s %s=%s".formatted(word, parts[0], named.address()),
                    content -> changed(content, new PartitionId(parts[0]), named, change));
            Map<String, Object> fields = new HashMap<>();
            Table table = new Table("Partition", "Replica", "Zone");
            for (MappedPartition partition : map.partitions()) {
                partition
                        .replicas()
                        .forEach(each -> table.row(
                                partition.name().name(), each.address().url(), each.zone()));
                fields.put(
                        partition.name().name(),
                        partition.replicas().stream()
                                .map(each -> Map.of("address", each.address().url(), "zone", each.zone()))
                                .toList());
            }
            output.print(terminal(), () -> Map.of("map", map.stamp().toString(), "replicas", fields), table::lines);
            return ExitCode.OK;
        }
    }

    private static MapContent changed(
            MapContent content, PartitionId name, PartitionUri named, BiConsumer<List<Replica>, PartitionUri> change) {
        content.partitions().stream()
                .filter(partition -> named.equals(partition.address()))
                .findFirst()
                .ifPresent(partition -> {
                    throw new RefusedException("Nothing was changed: %s is the address of partition %s, and no replica"
                            .formatted(named.url(), partition.name()));
                });
        return content.change(name, before -> {
            List<Replica> replicas = new ArrayList<>(before.replicas());
            change.accept(replicas, named);
            return before.withReplicas(replicas);
        });
    }
}
