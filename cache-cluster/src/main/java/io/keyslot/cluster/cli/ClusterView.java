// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Adoption;
import io.keyslot.cluster.inspect.LoadSurvey;
import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.MoveReport;
import io.keyslot.cluster.operator.MoveReports;
import io.keyslot.cluster.operator.OpenCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The resources while the page has viewers. Three independent threads read partitions, moves and loads. */
final class ClusterView implements AutoCloseable {
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(2);

    /** The longest time until the page shows a new move. The progress of moves is read each second. */
    private static final Duration WITHOUT_MOVES = Duration.ofSeconds(3);

    private static final long LONGEST_END_MILLIS = 5_000;

    private final OpenCatalogue catalogue;
    private final OperatorPage.Rhythm rhythm;
    private final ClusterWatch watch;
    private final List<Thread> threads;
    private final Map<MappedPartition, Pulse> pulses = new HashMap<>(); // confined to the thread that reads partitions
    private volatile boolean isClosed;
    private int surveys; // confined to the survey thread

    private ClusterView(OpenCatalogue catalogue, OperatorPage.Rhythm rhythm, ClusterWatch watch) {
        this.catalogue = catalogue;
        this.rhythm = rhythm;
        this.watch = watch;
        this.threads = List.of(
                new Thread(this::readPartitions, "keyslot-page-partitions"),
                new Thread(this::readMoves, "keyslot-page-moves"),
                new Thread(this::readLoad, "keyslot-page-load"));
    }

    static ClusterView open(ClientOptions options, OperatorPage.Rhythm rhythm, ClusterWatch watch) {
        return new ClusterView(OpenCatalogue.of(options), rhythm, watch);
    }

    void start() {
        threads.forEach(thread -> thread.setDaemon(true));
        threads.forEach(Thread::start);
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
            catalogue.time().waiter().pause(pause);
        }
    }

    /** Results that arrive during close are dropped. */
    private void publish(String kind, Map<String, ?> fields) {
        if (!isClosed) {
            watch.publish(kind, fields);
        }
    }

    private void readPartitions() {
        repeat(ClusterWatch.PARTITIONS, () -> {
            PartitionMap map = catalogue.newest();
            Map<MappedPartition, CompletableFuture<Pulse.Heartbeat>> asked = new HashMap<>();
            forgetOthers(map.askedPartitions());
            map.askedPartitions()
                    .forEach(partition -> asked.put(partition, pulse(partition).heartbeat()));
            Deadline deadline = Deadline.after(catalogue.time().ticker(), LONGEST_CHECK);
            Map<MappedPartition, Pulse.Heartbeat> heartbeats = new HashMap<>();
            asked.forEach((partition, heartbeat) -> heartbeats.put(
                    partition, catalogue.time().waiter().await(heartbeat, deadline, () -> Pulse.Heartbeat.NONE)));
            publish(
                    ClusterWatch.PARTITIONS,
                    MapViews.partitions(map, heartbeats, catalogue.doubt().orElse("")));
            return CHECK_INTERVAL;
        });
        pulses.values().forEach(Pulse::close);
    }

    private Pulse pulse(MappedPartition partition) {
        return pulses.computeIfAbsent(partition, first -> new Pulse(catalogue.connector(first, Adoption.NEVER)));
    }

    private void forgetOthers(List<MappedPartition> there) {
        for (MappedPartition known : new ArrayList<>(pulses.keySet())) {
            Pulse gone = there.contains(known) ? null : pulses.remove(known);
            if (gone != null) {
                gone.close();
            }
        }
    }

    private void readMoves() {
        try (MoveReports reports = new MoveReports(catalogue)) {
            repeat(ClusterWatch.MOVES, () -> {
                try {
                    List<MoveReport> moves = reports.all();
                    publish(ClusterWatch.MOVES, MapViews.moves(moves));
                    return moves.isEmpty() ? WITHOUT_MOVES : CHECK_INTERVAL;
                } catch (MapStore.UnavailableException e) {
                    publish(ClusterWatch.MOVES, Map.of("problem", ErrorLine.of(e)));
                    return WITHOUT_MOVES;
                }
            });
        }
    }

    private void readLoad() {
        repeat(ClusterWatch.SURVEY, () -> {
            SurveyedLoad load = LoadSurvey.look(catalogue, rhythm.sample());
            if (!isClosed) {
                watch.surveyed(load);
                publish(ClusterWatch.SURVEY, LoadViews.survey(load, ++surveys));
            }
            return rhythm.every();
        });
    }

    @Override
    public void close() {
        isClosed = true;
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
