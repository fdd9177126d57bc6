// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Command.Scan;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.QueueCommand;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.cluster.terminal.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;

@Command(
        name = "streams",
        description = "Lists the change feeds of each partition that are read, with their groups, and the queues.",
        footer = {
            "For each group it shows how many changes are not processed yet, and the member that reads the partition, '-' if"
                    + " none does; a feed without a group is read by listeners only. The messages of a queue are ready to be received,"
                    + " leased, waiting for an earlier one of their session, or dead letters. To find queues, it looks at 10,000,000 keys"
                    + " of a partition at most. Exits with 1 if a partition does not answer or has more.",
            "  keyslot streams --config keyslot.yaml"
        })
final class StreamsCommand extends OperatorCommand {
    private static final List<FeedCommand.GroupState> NO_GROUP = List.of(new FeedCommand.GroupState("", -1, ""));
    private static final int KEYS_OF_A_PAGE = 1_000;
    private static final int MOST_PAGES = 10_000;

    static Table feeds() {
        return new Table(
                "Partition=partition", "Cache=cache", "Changes=changes", "Group=group", "Behind=lag", "Reader=holder");
    }

    static Table queues() {
        return new Table(
                "Partition=partition",
                "Queue=queue",
                "Ready=ready",
                "Leased=leased",
                "Waiting=waiting",
                "Dead letters=dead");
    }

    /** Adds a row of which only the partition is known, because it does not answer. */
    static void addSilent(Table table, MappedPartition partition) {
        table.row(partition.name().name(), new Table.Cell(null, "silent"), null, null, null, null);
    }

    static void addFeeds(Table table, MappedPartition partition, List<FeedCommand.Description> feeds) {
        for (FeedCommand.Description feed : feeds) {
            String cache = feed.name().substring(feed.name().indexOf(':') + 1);
            for (FeedCommand.GroupState group : feed.groups().isEmpty() ? NO_GROUP : feed.groups()) {
                table.row(
                        partition.name().name(),
                        cache,
                        feed.length(),
                        group.group().isEmpty() ? null : group.group(),
                        group.lag() < 0 ? null : group.lag(),
                        group.holder().isEmpty() ? null : group.holder());
            }
        }
    }

    @Override
    public Integer call() {
        boolean isComplete = true;
        List<String> silent = new ArrayList<>();
        Table feeds = feeds();
        Table queues = queues();
        Map<String, List<Long>> sums = new TreeMap<>();
        try (OpenCatalogue catalogue = connection.catalogue();
                Instances instances = new Instances(catalogue)) {
            PartitionMap map = catalogue.newest();
            for (MappedPartition partition : map.askedPartitions()) {
                try {
                    Map<String, List<Long>> found = new TreeMap<>();
                    if (!findQueues(instances, connection.options().namespace(), map, partition, MOST_PAGES, found)) {
                        isComplete = false;
                        ErrorLine.print(terminal(), partition.name() + " has more keys than are searched for queues");
                    }
                    addFeeds(feeds, partition, instances.ask(partition, new FeedCommand.Describe()));
                    addQueues(queues, partition.name().name(), found);
                    found.forEach((queue, counts) -> sums.merge(queue, counts, StreamsCommand::plus));
                } catch (SilentException e) {
                    silent.add(partition.name().name());
                    addSilent(feeds, partition);
                    addSilent(queues, partition);
                    ErrorLine.print(terminal(), "Partition does not answer: " + e.getMessage());
                }
            }
        }
        print(() -> Map.of("streams", feeds.documents(), "queues", queues.documents()), () -> {
            addQueues(queues, silent.isEmpty() ? "all" : "all but " + String.join(", ", silent), sums);
            List<String> lines = new ArrayList<>(feeds.isEmpty() ? List.of("No feed is read.") : feeds.lines());
            lines.add("");
            lines.addAll(queues.isEmpty() ? List.of("No queue has messages.") : queues.lines());
            return lines;
        });
        return isComplete && silent.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Counts the messages of the queues at a partition. Returns false if it has too many keys to find all queues. */
    static boolean findQueues(
            Instances instances,
            String namespace,
            PartitionMap map,
            MappedPartition partition,
            int mostPages,
            Map<String, List<Long>> found) {
        GroupHome start = GroupHome.ofOurs(namespace, "");
        String[] around = start.messages().text().split("(?=})", 2);
        Set<EncodedKey> keys = new HashSet<>();
        String cursor = ScanPage.START;
        for (int pages = 0; pages == 0 || (pages < mostPages && !cursor.equals(ScanPage.START)); pages++) {
            ScanPage page = instances.ask(partition, new Scan(cursor, around[0], around[1], KEYS_OF_A_PAGE));
            keys.addAll(page.keys());
            cursor = page.next();
        }
        for (EncodedKey key : keys) {
            GroupHome home = GroupHome.of(key);
            int end = home.tag().lastIndexOf(':');
            if (end > start.tag().length() && map.ownerOf(map.slotOf(key)).equals(Optional.of(partition.name()))) {
                List<Long> counts = instances.ask(partition, new QueueCommand.Describe(home));
                found.merge(home.tag().substring(start.tag().length(), end), counts, StreamsCommand::plus);
            }
        }
        return cursor.equals(ScanPage.START);
    }

    private static List<Long> plus(List<Long> one, List<Long> other) {
        return IntStream.range(0, one.size())
                .mapToObj(i -> one.get(i) + other.get(i))
                .toList();
    }

    static void addQueues(Table table, String partition, Map<String, List<Long>> found) {
        found.forEach((queue, counts) ->
                table.row(partition, queue, counts.get(0), counts.get(1), counts.get(2), counts.get(3)));
    }
}
