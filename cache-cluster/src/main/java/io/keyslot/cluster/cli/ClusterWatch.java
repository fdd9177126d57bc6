// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.config.CacheOptions;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.json.CanonicalJson;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficReport.CacheCalls;
import io.keyslot.cluster.cli.ClusterHistory.Figures;
import io.keyslot.cluster.inspect.ClusterSurvey;
import io.keyslot.cluster.inspect.LoadSurvey;
import io.keyslot.cluster.inspect.ReportedTraffic;
import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveTime;
import io.keyslot.cluster.operator.Instances;
import io.keyslot.cluster.operator.MoveReport;
import io.keyslot.cluster.operator.MoveReports;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.SilentException;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.web.EventStreams;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cluster once for all viewers of the page, until it is closed. Three independent threads read the partitions,
 * the map with its moves, and, while there are viewers, the load of slots. Thread-safe.
 */
final class ClusterWatch implements AutoCloseable {
    private static final String PARTITIONS = "partitions";
    private static final String MOVES = "moves";
    private static final String SURVEY = "survey";

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(2);

    /** The interval of the figures: 90 of them in the 15 minutes of the history. */
    private static final Duration BETWEEN_FIGURES = Duration.ofSeconds(10);

    /** The longest time until the page shows a new move. The progress of moves is read each second. */
    private static final Duration WITHOUT_MOVES = Duration.ofSeconds(3);

    /** The time for which a single request for the state counts as a viewer. */
    private static final Duration LINGER = Duration.ofSeconds(10);

    private static final Duration LONGEST_FIRST_CHECK = Duration.ofSeconds(5);
    private static final int MOST_PAGES_OF_KEYS = 1_000;
    private static final long LONGEST_END_MILLIS = 5_000;

    private final OpenCatalogue catalogue;
    private final OperatorPage.Rhythm rhythm;
    private final String namespace;
    private final String readsOfMissing;
    private final MoveTime time;
    private final ClusterHistory history = new ClusterHistory();
    private final EventStreams streams = new EventStreams();
    private final CompletableFuture<Boolean> firstCheck = new CompletableFuture<>();
    private final List<Thread> threads;
    private volatile Deadline wanted;
    private volatile @Nullable SurveyedLoad survey;
    private volatile boolean isClosed;

    // Confined to the thread that reads partitions.
    private final Map<MappedPartition, Pulse> pulses = new HashMap<>();
    private Map<PartitionId, Long> calls = Map.of();
    private long pendingDeletes;
    private Deadline nextFigures;

    /** Opens connections, even if partitions do not answer. */
    ClusterWatch(ClientOptions options, OperatorPage.Rhythm rhythm) {
        this.catalogue = OpenCatalogue.of(options);
        this.rhythm = rhythm;
        this.namespace = options.namespace();
        this.readsOfMissing = readsOfMissing(options);
        this.time = catalogue.time();
        this.wanted = Deadline.after(time.ticker(), Duration.ZERO);
        this.nextFigures = wanted;
        this.threads = List.of(
                new Thread(this::readPartitions, "keyslot-page-partitions"),
                new Thread(this::readMoves, "keyslot-page-moves"),
                new Thread(this::readLoad, "keyslot-page-load"));
        threads.forEach(thread -> thread.setDaemon(true));
        threads.forEach(Thread::start);
    }

    /** Returns what the configured caches do; what applications configure in their code is not known. */
    static String readsOfMissing(ClientOptions options) {
        Set<String> results = new TreeSet<>();
        for (CacheOptions cache : options.caches().values()) {
            MissingPartitionPolicy policy = cache.missingPartition();
            boolean isLoaded =
                    policy == null ? Boolean.TRUE.equals(cache.readThrough()) : policy == MissingPartitionPolicy.LOADER;
            results.add(policy == MissingPartitionPolicy.FAIL ? "fail" : isLoaded ? "run the loader" : "are misses");
        }
        return "reads " + (results.isEmpty() ? "are misses" : String.join(" or ", results));
    }

    EventStreams streams() {
        return streams;
    }

    Optional<SurveyedLoad> survey() {
        return Optional.ofNullable(survey);
    }

    /** Returns the latest events as JSON; waits briefly for the first check of the partitions. */
    String state() {
        wanted = Deadline.after(time.ticker(), LINGER);
        time.waiter().awaitDone(firstCheck, Deadline.after(time.ticker(), LONGEST_FIRST_CHECK));
        return streams.newest().entrySet().stream()
                .map(kind -> "\"%s\":%s".formatted(kind.getKey(), kind.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** Repeats the read whatever fails, after the pause that the last one returned. */
    private void repeat(String kind, Supplier<Duration> look) {
        while (!isClosed) {
            Duration pause = CHECK_INTERVAL;
            try {
                pause = look.get();
            } catch (RuntimeException e) {
                publish(kind, Map.of("problem", ErrorLine.of(e)));
            }
            time.waiter().pause(pause);
        }
    }

    /** Results that arrive during close are dropped. */
    private void publish(String kind, Map<String, ?> fields) {
        if (!isClosed) {
            streams.publish(kind, CanonicalJson.write(fields));
        }
    }

    private void readPartitions() {
        repeat(PARTITIONS, () -> {
            PartitionMap map = catalogue.newest();
            List<MappedPartition> present = map.askedPartitions();
            pulses.keySet().stream()
                    .filter(known -> !present.contains(known))
                    .toList()
                    .forEach(gone -> Objects.requireNonNull(pulses.remove(gone)).close());
            Map<MappedPartition, CompletableFuture<Reply<MemoryUse>>> asked = new HashMap<>();
            present.forEach(partition -> asked.put(partition, pulse(partition).heartbeat()));
            Map<MappedPartition, Reply<MemoryUse>> heartbeats = answers(asked);
            history.observe(heartbeats, time.now());
            if (nextFigures.isOver()) {
                nextFigures = Deadline.after(time.ticker(), BETWEEN_FIGURES);
                readFigures(map, heartbeats);
            }
            String doubt = catalogue.doubt().orElse("");
            ClusterHistory.Health health = history.health(map, readsOfMissing, pendingDeletes, doubt);
            publish(PARTITIONS, PageViews.partitions(map, history.sights(), calls, health));
            publish("events", PageViews.events(history.events()));
            boolean unused = firstCheck.complete(true);
            return CHECK_INTERVAL;
        });
        pulses.values().forEach(Pulse::close);
    }

    private <R> Map<MappedPartition, Reply<R>> answers(Map<MappedPartition, CompletableFuture<Reply<R>>> asked) {
        Deadline deadline = Deadline.after(time.ticker(), LONGEST_CHECK);
        Map<MappedPartition, Reply<R>> answers = new HashMap<>();
        asked.forEach((partition, answer) -> answers.put(
                partition, time.waiter().await(answer, deadline, () -> Reply.unknown("no answer in time", null))));
        return answers;
    }

    private Pulse pulse(MappedPartition partition) {
        return pulses.computeIfAbsent(partition, first -> new Pulse(catalogue.connector(first, Adoption.NEVER)));
    }

    /** Sends a command to all partitions that answer, and returns the results. */
    private <R> Map<MappedPartition, R> ask(Map<MappedPartition, Reply<MemoryUse>> heartbeats, Command<R> command) {
        Map<MappedPartition, CompletableFuture<Reply<R>>> asked = new HashMap<>();
        heartbeats.forEach((partition, heartbeat) -> {
            if (heartbeat instanceof Reply.Done) {
                asked.put(partition, pulse(partition).ask(command));
            }
        });
        return results(answers(asked));
    }

    private static <R> Map<MappedPartition, R> results(Map<MappedPartition, Reply<R>> replies) {
        Map<MappedPartition, R> results = new HashMap<>();
        replies.forEach((partition, reply) -> {
            if (reply instanceof Reply.Done<R> done) {
                results.put(partition, done.value());
            }
        });
        return results;
    }

    private void readFigures(PartitionMap map, Map<MappedPartition, Reply<MemoryUse>> heartbeats) {
        ReportedTraffic reported = new ReportedTraffic();
        Collection<TrafficCommand.Reports> reports =
                ask(heartbeats, new TrafficCommand.ReadReports()).values();
        reports.forEach(each -> reported.add(each.all()));
        Collection<List<SlotTransfer.Peer>> peers =
                ask(heartbeats, new SlotTransfer.ListClients()).values();
        Set<String> processes = new TreeSet<>();
        peers.forEach(each ->
                processes.addAll(ClusterSurvey.processes(each, map.version()).keySet()));
        Collection<MemoryUse> memory = results(heartbeats).values();
        boolean hasReports = reported.clients() > 0;
        history.add(new Figures(
                time.now(),
                hasReports ? reported.caches().stream().reduce(CacheCalls.NONE, CacheCalls::plus) : null,
                reported.percentileMicros(0.99),
                memory.isEmpty()
                        ? null
                        : memory.stream().mapToLong(MemoryUse::usedBytes).sum(),
                peers.isEmpty() ? null : (long) processes.size()));
        calls = hasReports ? callsByPartition(map, reported) : Map.of();
        pendingDeletes = reported.pendingDeletes();
        boolean isComplete = reports.stream().allMatch(TrafficCommand.Reports::isComplete);
        publish("figures", PageViews.figures(history.figures(), reported.caches(), reported.clients(), isComplete));
        Map<MappedPartition, List<FeedCommand.Description>> feeds = ask(heartbeats, new FeedCommand.Describe());
        Table table = StreamsCommand.feeds();
        for (MappedPartition partition : map.askedPartitions()) {
            List<FeedCommand.Description> there = feeds.get(partition);
            if (there == null) {
                StreamsCommand.addSilent(table, partition);
            } else {
                StreamsCommand.addFeeds(table, partition, there);
            }
        }
        publish("feeds", Map.of("rows", table.documents()));
    }

    private static Map<PartitionId, Long> callsByPartition(PartitionMap map, ReportedTraffic reported) {
        Map<PartitionId, Long> calls = new HashMap<>();
        map.askedPartitions().forEach(partition -> calls.put(partition.name(), 0L));
        reported.slots()
                .forEach((slot, load) ->
                        map.ownerOf(slot).ifPresent(owner -> calls.merge(owner, load.calls(), Long::sum)));
        return calls;
    }

    private void readMoves() {
        try (MoveReports reports = new MoveReports(catalogue)) {
            repeat(MOVES, () -> {
                try {
                    List<MoveReport> moves = reports.all();
                    publish(MOVES, PageViews.moves(moves));
                    long version = catalogue.newest().version();
                    if (history.isNewer(version)) {
                        history.change(catalogue.history(), version);
                    }
                    return moves.isEmpty() ? WITHOUT_MOVES : CHECK_INTERVAL;
                } catch (MapStore.UnavailableException e) {
                    publish(MOVES, Map.of("problem", "Moves are not known, because the map cannot be read"));
                    return WITHOUT_MOVES;
                }
            });
        }
    }

    private void readLoad() {
        repeat(SURVEY, () -> {
            if (streams.size() == 0 && wanted.isOver()) {
                return CHECK_INTERVAL;
            }
            SurveyedLoad load = LoadSurvey.look(catalogue, rhythm.sample());
            survey = load;
            publish(SURVEY, PageViews.survey(load, time.now()));
            if (rhythm.sample() > 0) {
                publish("queues", queues());
            }
            return rhythm.every();
        });
    }

    private Map<String, Object> queues() {
        PartitionMap map = catalogue.newest();
        boolean isComplete = true;
        Table table = StreamsCommand.queues();
        try (Instances instances = new Instances(catalogue)) {
            for (MappedPartition partition : map.askedPartitions()) {
                try {
                    Map<String, List<Long>> found = new TreeMap<>();
                    isComplete &=
                            StreamsCommand.findQueues(instances, namespace, map, partition, MOST_PAGES_OF_KEYS, found);
                    StreamsCommand.addQueues(table, partition.name().name(), found);
                } catch (SilentException e) {
                    StreamsCommand.addSilent(table, partition);
                }
            }
        }
        return Map.of("rows", table.documents(), "isComplete", isComplete);
    }

    @Override
    public void close() {
        isClosed = true;
        streams.close();
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                TimeUnit.MILLISECONDS.timedJoin(thread, LONGEST_END_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        catalogue.close();
    }
}
