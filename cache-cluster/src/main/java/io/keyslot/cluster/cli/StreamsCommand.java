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
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "streams",
        description = "Lists the change feeds of each partition that are read, with their groups, and the queues.",
        footer = {
            "",
            "For each group it shows how many changes are not processed yet, and the member that reads the partition, '-' if"
                    + " none does; a feed without a group is read by listeners only. The messages of a queue are ready to be received,"
                    + " leased, waiting for an earlier one of their session, or dead letters. To find queues, it looks at 10,000,000 keys"
                    + " of a partition at most. Exits with 1 if a partition does not answer or has more.",
            "",
            "Example:",
            "  keyslot streams --config keyslot.yaml"
        })
final class StreamsCommand extends OperatorCommand {
    static final List<String> FEED = List.of("partition", "cache", "changes", "group", "lag", "holder");
    static final List<String> QUEUE = List.of("partition", "queue", "ready", "leased", "waiting", "dead");
    private static final List<FeedCommand.GroupState> NO_GROUP = List.of(new FeedCommand.GroupState("", -1, ""));
    private static final int KEYS_OF_A_PAGE = 1_000;
    private static final int MOST_PAGES = 10_000;

    StreamsCommand(Terminal terminal) {
        super(terminal);
    }

    private static List<@Nullable Object> row(@Nullable Object... cells) {
        return Arrays.asList(cells);
    }

    /** Returns a row of which only the partition is known, because it does not answer. */
    static List<@Nullable Object> silent(MappedPartition partition) {
        return row(partition.name().name(), null, null, null, null, null);
    }

    /** Returns rows for the groups of a partition's feeds, null if it does not answer. */
    static Stream<List<@Nullable Object>> rows(
            MappedPartition partition, @Nullable List<FeedCommand.Description> feeds) {
        return feeds == null ? Stream.of(silent(partition)) : feeds.stream().flatMap(feed -> rows(partition, feed));
    }

    private static Stream<List<@Nullable Object>> rows(MappedPartition partition, FeedCommand.Description feed) {
        String cache = feed.name().substring(feed.name().indexOf(':') + 1);
        List<FeedCommand.GroupState> groups = feed.groups().isEmpty() ? NO_GROUP : feed.groups();
        return groups.stream()
                .map(group -> row(
                        partition.name().name(),
                        cache,
                        feed.length(),
                        group.group().isEmpty() ? null : group.group(),
                        group.lag() < 0 ? null : group.lag(),
                        group.holder().isEmpty() ? null : group.holder()));
    }

    static List<?> documents(List<String> names, List<List<@Nullable Object>> rows) {
        return rows.stream()
                .map(row -> {
                    Map<String, @Nullable Object> fields = new HashMap<>();
                    names.forEach(name -> fields.put(name, row.get(names.indexOf(name))));
                    return fields;
                })
                .toList();
    }

    @Override
    public Integer call() {
        boolean isComplete = true;
        List<String> silent = new ArrayList<>();
        List<List<@Nullable Object>> feeds = new ArrayList<>();
        List<List<@Nullable Object>> queues = new ArrayList<>();
        Map<String, List<Long>> sums = new TreeMap<>();
        try (OpenCatalogue catalogue = connection.catalogue();
                Instances instances = new Instances(catalogue)) {
            PartitionMap map = catalogue.newest();
            for (MappedPartition partition : map.askedPartitions()) {
                try {
                    Map<String, List<Long>> found = new TreeMap<>();
                    if (!findQueues(instances, connection.options().namespace(), map, partition, MOST_PAGES, found)) {
                        isComplete = false;
                        ErrorLine.print(terminal, partition.name() + " has more keys than are searched for queues");
                    }
                    rows(partition, instances.ask(partition, new FeedCommand.Describe()))
                            .forEach(feeds::add);
                    found.forEach(
                            (queue, counts) -> queues.add(row(partition.name().name(), queue, counts)));
                    found.forEach((queue, counts) -> sums.merge(queue, counts, StreamsCommand::plus));
                } catch (SilentException e) {
                    silent.add(partition.name().name());
                    feeds.add(silent(partition));
                    queues.add(silent(partition));
                    ErrorLine.print(terminal, "Partition does not answer: " + e.getMessage());
                }
            }
        }
        print(() -> Map.of("streams", documents(FEED, feeds), "queues", documents(QUEUE, queues)), () -> {
            String all = silent.isEmpty() ? "all" : "all but " + String.join(", ", silent);
            sums.forEach((queue, counts) -> queues.add(row(all, queue, counts)));
            return lines(feeds, queues);
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

    static List<@Nullable Object> row(String partition, String queue, List<Long> counts) {
        return row(partition, queue, counts.get(0), counts.get(1), counts.get(2), counts.get(3));
    }

    private static List<String> lines(List<List<@Nullable Object>> feeds, List<List<@Nullable Object>> queues) {
        Table fed = new Table("Partition", "Cache", "Changes", "Group", "Behind", "Reader");
        for (List<@Nullable Object> row : feeds) {
            fed.row(cells(row));
        }
        Table queued = new Table("Partition", "Queue", "Ready", "Leased", "Waiting", "Dead letters");
        for (List<@Nullable Object> row : queues) {
            queued.row(cells(row));
        }
        List<String> lines = new ArrayList<>(feeds.isEmpty() ? List.of("No feed is read.") : fed.lines());
        lines.add("");
        lines.addAll(queues.isEmpty() ? List.of("No queue has messages.") : queued.lines());
        return lines;
    }

    private static String[] cells(List<@Nullable Object> row) {
        return IntStream.range(0, row.size())
                .mapToObj(i -> row.get(i) instanceof Long count
                        ? Amounts.count(count)
                        : Objects.requireNonNullElse(row.get(i), i == 1 ? "silent" : "-")
                                .toString())
                .toArray(String[]::new);
    }
}
