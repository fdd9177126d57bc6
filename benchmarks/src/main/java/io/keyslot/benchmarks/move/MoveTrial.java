// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.MovePace;
import io.keyslot.cluster.KeyslotAdmin;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.move.MoveProgress.Step;
import io.keyslot.cluster.operator.MoveListener;
import io.keyslot.cluster.operator.MovePlayer;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Adds a fourth server to three and removes it again, while several clients of an application run in this process. */
final class MoveTrial {
    private static final PartitionId NEW = new PartitionId("p4");
    private static final int SERVERS = 3;
    private static final int BATCH = 1_000;
    private static final Duration LOOK = Duration.ofMillis(5);

    /** The steps during which slots accept only fenced commands. */
    private static final Set<Step> FENCED =
            EnumSet.of(Step.WAITING_FOR_CLIENTS, Step.EMPTYING_TARGET, Step.COPYING, Step.PAUSED, Step.HANDING_OVER);

    private final Size size;
    private final Consumer<String> says;
    private final Tally counter = new Tally();
    private final Map<String, Double> seconds = new LinkedHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /**
     * The size of a trial. Entries are those that no thread changes, threads are per client, calls per second are those
     * of all threads (0 for no limit), and seconds those of each phase without a move.
     */
    record Size(
            int entries, int valueBytes, int clients, int threads, int callsPerSecond, int seconds, MovePace pace) {}

    MoveTrial(Size size, Consumer<String> says) {
        this.size = size;
        this.says = says;
    }

    MoveResult run() {
        List<Load> load = new ArrayList<>();
        List<LoadCaches> clients = new ArrayList<>();
        try (LocalServers servers = LocalServers.create()) {
            List<String> uris =
                    servers.start(SERVERS + 1).stream().map(LocalServer::uri).toList();
            Properties properties = LoadCaches.properties(uris.subList(0, SERVERS));
            try (OpenCatalogue catalogue = OpenCatalogue.of(properties)) {
                for (int client = 0; client < size.clients(); client++) {
                    LoadCaches caches = LoadCaches.open(properties, size.valueBytes(), "load" + client);
                    clients.add(caches);
                    for (int thread = 0; thread < size.threads(); thread++) {
                        load.add(new Load(size, client, thread, caches, counter));
                    }
                }
                says.accept("Storing %,d entries ...".formatted(size.entries()));
                fill(clients.get(0));
                CompletableFuture<?>[] running = load.stream()
                        .map(each -> CompletableFuture.runAsync(each, threads))
                        .toArray(CompletableFuture[]::new);
                rest("warm-up");
                rest("before");
                MappedPartition added = MappedPartition.active(NEW, PartitionUriParser.uri(uris.get(SERVERS)), 1);
                Plan there = new Planner(catalogue.newest(), PlanFacts.NONE).add(added);
                List<MoveTimes> moves = new ArrayList<>(play("grow", there, catalogue));
                rest("between");
                moves.addAll(play("shrink", new Planner(catalogue.newest(), PlanFacts.NONE).remove(NEW), catalogue));
                rest("after");
                load.forEach(Load::end);
                CompletableFuture.allOf(running).join();
                says.accept("Looking at all entries ...");
                check(clients.get(0));
                return new MoveResult(there.movedSlots(), size.callsPerSecond(), seconds, moves, counter);
            } finally {
                load.forEach(Load::end);
                clients.forEach(LoadCaches::close);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void fill(LoadCaches caches) {
        Map<String, String> some = new HashMap<>();
        for (int i = 0; i < size.entries(); i++) {
            some.put(LoadCaches.restKey(i), caches.value(i));
            if (some.size() == BATCH || i == size.entries() - 1) {
                caches.items().putAll(some);
                some.clear();
            }
        }
    }

    /** Lets the application run without a move. */
    private void rest(String phase) {
        says.accept("Phase " + phase + " ...");
        counter.phase(phase, SlotSet.none());
        long begin = System.nanoTime();
        long left = TimeUnit.SECONDS.toNanos(size.seconds());
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = begin + TimeUnit.SECONDS.toNanos(size.seconds()) - System.nanoTime();
        }
        seconds.put(phase, secondsSince(begin));
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private List<MoveTimes> play(String phase, Plan plan, OpenCatalogue catalogue) {
        says.accept("Phase %s: %,d slots ...".formatted(phase, plan.movedSlots()));
        counter.phase(phase, SlotSet.none());
        long begin = System.nanoTime();
        Moving moving = new Moving();
        try (PlanWatch watch = PlanWatch.of(moving::progress)) {
            CompletableFuture<Void> played =
                    CompletableFuture.runAsync(() -> moving.apply(plan, size.pace(), catalogue), threads);
            while (!played.isDone()) {
                counter.phase(phase, movingSlots(plan, moving.progress()));
                LockSupport.parkNanos(LOOK.toNanos());
            }
            played.join();
            seconds.put(phase, secondsSince(begin));
            return watch.moves();
        }
    }

    private static final class Moving implements MoveListener {
        private volatile Supplier<List<MoveProgress>> progress = List::of;

        void apply(Plan plan, MovePace pace, OpenCatalogue catalogue) {
            try {
                new KeyslotAdmin(catalogue).apply(plan, pace, this).requireFinished();
            } catch (MapStore.UnavailableException e) {
                throw new IllegalStateException("The map cannot be read: " + e.getMessage(), e);
            }
        }

        @Override
        public void started(MovePlayer player) {
            progress = player::progress;
        }

        @Override
        public void progressed(List<MoveProgress> moves) {
            // read by the watch
        }

        List<MoveProgress> progress() {
            return progress.get();
        }
    }

    private static SlotSet movingSlots(Plan plan, List<MoveProgress> progress) {
        SlotSet moving = SlotSet.none();
        for (MoveProgress move : progress) {
            int number = Integer.parseInt(move.move().substring(move.move().lastIndexOf('-') + 1));
            if (FENCED.contains(move.step())) {
                moving = moving.plus(plan.moves().get(number - 1).slots());
            }
        }
        return moving;
    }

    /** Checks each entry that no thread changes. */
    private void check(LoadCaches caches) {
        for (int from = 0; from < size.entries(); from += BATCH) {
            Map<String, Integer> numbers = new LinkedHashMap<>();
            IntStream.range(from, Math.min(size.entries(), from + BATCH))
                    .forEach(number -> numbers.put(LoadCaches.restKey(number), number));
            Map<String, String> found = caches.items().getAll(numbers.keySet());
            counter.add("lost", numbers.size() - found.size());
            found.forEach((key, value) -> {
                if (LoadCaches.number(value) != numbers.getOrDefault(key, -1)) {
                    counter.complain("stale", key);
                }
            });
        }
    }
}
