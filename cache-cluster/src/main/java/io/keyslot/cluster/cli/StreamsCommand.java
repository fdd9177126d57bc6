// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

@Command(
        name = "streams",
        description = "Lists the change feeds of each partition that are read, with the groups of their readers.",
        footer = {
            "",
            "For each group it shows how many changes are not processed yet, and the member that reads the partition, '-' if",
            "none does. Exits with 1 if a partition does not answer.",
            "",
            "Example:",
            "  keyslot streams --config keyslot.yaml"
        })
final class StreamsCommand extends OperatorCommand {
    StreamsCommand(Terminal terminal) {
        super(terminal);
    }

    /** A group of readers of the feed of a cache at one partition. */
    record Row(String partition, String cache, long changes, FeedCommand.GroupState group) {
        static Stream<Row> of(MappedPartition partition, List<FeedCommand.Description> feeds) {
            return feeds.stream()
                    .flatMap(feed -> feed.groups().stream()
                            .map(group -> new Row(
                                    partition.name().name(),
                                    feed.name().substring(feed.name().indexOf(':') + 1),
                                    feed.length(),
                                    group)));
        }

        Map<String, ?> fields() {
            return Map.of(
                    "partition",
                    partition,
                    "cache",
                    cache,
                    "changes",
                    changes,
                    "group",
                    group.group(),
                    "lag",
                    group.lag(),
                    "holder",
                    group.holder());
        }
    }

    @Override
    public Integer call() {
        boolean isComplete = true;
        List<Row> rows = new ArrayList<>();
        try (OpenCatalogue catalogue = connection.catalogue();
                Instances instances = new Instances(catalogue)) {
            for (MappedPartition partition : catalogue.newest().askedPartitions()) {
                try {
                    Row.of(partition, instances.ask(partition, new FeedCommand.Describe()))
                            .forEach(rows::add);
                } catch (SilentException e) {
                    isComplete = false;
                    ErrorLine.print(terminal, "Partition does not answer: " + e.getMessage());
                }
            }
            print(
                    () -> fields("streams", rows),
                    () -> rows.isEmpty()
                            ? List.of("No feed is read.")
                            : table(rows).lines());
        }
        return isComplete ? ExitCode.OK : ExitCode.FAILED;
    }

    static Map<String, Object> fields(String name, List<Row> rows) {
        return Map.of(name, rows.stream().map(Row::fields).toList());
    }

    private static Table table(List<Row> rows) {
        Table table = new Table("Partition", "Cache", "Changes", "Group", "Behind", "Reader");
        rows.forEach(row -> table.row(
                row.partition(),
                row.cache(),
                Amounts.count(row.changes()),
                row.group().group(),
                row.group().lag() < 0 ? "-" : Amounts.count(row.group().lag()),
                row.group().holder().isEmpty() ? "-" : row.group().holder()));
        return table;
    }
}
