// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.client.config.value.PartitionUriParser;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.MovePace;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.move.MoveProgress.Step;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.PlanRun;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A fourth server is added to three and taken away again, while processes of an application work: on servers and in JVMs that are
 * started for it.
 */
public final class MoveTrial {
    private static final PartitionId NEW = new PartitionId("p4");
    private static final int SERVERS = 3;
    private static final int BATCH = 1_000;
    private static final Duration LOOK = Duration.ofMillis(5);

    /** What is done to slots that only fenced commands may use. */
    private static final Set<Step> FENCED =
            EnumSet.of(Step.WAITING_FOR_CLIENTS, Step.EMPTYING_TARGET, Step.COPYING, Step.PAUSED, Step.HANDING_OVER);

    private final Size size;
    private final Consumer<String> says;
    private final List<MoveResult.Phase> phases = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /**
     * How large a trial is.
     *
     * @param entries that nobody changes
     * @param seconds of each phase without a move
     * @param pace of each move
     */
    public record Size(
            int entries, int valueBytes, int jvms, int threads, int callsPerSecond, int seconds, MovePace pace) {}

    /** @param says is told what is going on */
    public MoveTrial(Size size, Consumer<String> says) {
        this.size = size;
        this.says = says;
    }

    /** Carries the trial out. */
    public MoveResult run() {
        List<LoadJvm> jvms = new ArrayList<>();
        try (LocalServers servers = LocalServers.create()) {
            List<LocalServer> started = servers.start(SERVERS + 1);
            LoadOptions options = new LoadOptions(
                    started.subList(0, SERVERS).stream().map(LocalServer::uri).toList(),
                    size.entries(),
                    size.valueBytes(),
                    size.jvms(),
                    size.threads(),
                    size.callsPerSecond() / size.jvms());
            Path log = Files.createTempFile("keyslot-load-", ".log");
            List<MoveTimes> moves = new ArrayList<>();
            int least;
            LoadReport report = new LoadReport();
            try (OpenCatalogue client = OpenCatalogue.of(LoadCaches.properties(options));
                    LoadCaches idle = LoadCaches.open(options, "idle")) {
                says.accept("Storing %,d entries ...".formatted(size.entries()));
                fill(options, idle);
                for (int jvm = 0; jvm < size.jvms(); jvm++) {
                    jvms.add(LoadJvm.start(jvm, options, log));
                }
                rest("warm-up", jvms);
                rest("before", jvms);
                MappedPartition added = MappedPartition.active(
                        NEW, PartitionUriParser.uri(started.get(SERVERS).uri()), 1);
                Plan there = new Planner(client.newest(), PlanFacts.NONE).add(added);
                least = there.movedSlots();
                moves.addAll(play("grow", there, client, jvms));
                rest("between", jvms);
                Plan back = new Planner(client.newest(), PlanFacts.NONE).remove(NEW);
                moves.addAll(play("shrink", back, client, jvms));
                rest("after", jvms);
                jvms.forEach(LoadJvm::end);
                jvms.forEach(jvm -> jvm.report(report));
                says.accept("Looking at all entries ...");
                check(options, idle, report);
            }
            Files.delete(log);
            return new MoveResult(least, size.callsPerSecond(), phases, moves, report);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot keep the log of a process", e);
        } finally {
            jvms.forEach(LoadJvm::close);
            threads.shutdownNow();
        }
    }

    private static void fill(LoadOptions options, LoadCaches caches) {
        Map<String, String> some = new HashMap<>();
        for (int i = 0; i < LoadCaches.COUNTERS; i++) {
            some.put(LoadCaches.counterKey(i), caches.value(0));
        }
        caches.items().putAll(some);
        some.clear();
        for (int i = 0; i < options.entries(); i++) {
            some.put(LoadCaches.restKey(i), caches.value(i));
            if (some.size() == BATCH || i == options.entries() - 1) {
                caches.items().putAll(some);
                some.clear();
            }
        }
    }

    /** Lets the application work for a while. */
    private void rest(String phase, List<LoadJvm> jvms) {
        says.accept("Phase " + phase + " ...");
        jvms.forEach(jvm -> jvm.phase(phase, SlotSet.none()));
        long begin = System.nanoTime();
        Duration used = used(jvms);
        long left = Duration.ofSeconds(size.seconds()).toNanos();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = begin + Duration.ofSeconds(size.seconds()).toNanos() - System.nanoTime();
        }
        phases.add(new MoveResult.Phase(
                phase, secondsSince(begin), seconds(used(jvms).minus(used))));
    }

    /** Returns the processor time of all but the application: of the servers, and of this process, which has the coordinator. */
    private static Duration used(List<LoadJvm> application) {
        return Stream.concat(
                        Stream.of(ProcessHandle.current()),
                        ProcessHandle.current().children())
                .filter(process -> application.stream().noneMatch(jvm -> jvm.is(process)))
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private List<MoveTimes> play(String phase, Plan plan, OpenCatalogue client, List<LoadJvm> jvms) {
        says.accept("Phase %s: %,d slots ...".formatted(phase, plan.movedSlots()));
        jvms.forEach(jvm -> jvm.phase(phase, SlotSet.none()));
        long begin = System.nanoTime();
        Duration used = used(jvms);
        try (PlanRun run = new PlanRun(plan, "trial-" + phase, client);
                PlanWatch watch = PlanWatch.of(run::progress)) {
            CompletableFuture<Void> played = CompletableFuture.runAsync(() -> run.run(size.pace()), threads);
            SlotSet told = SlotSet.none();
            while (!played.isDone()) {
                SlotSet moving = movingSlots(plan, run.progress());
                if (!moving.equals(told)) {
                    told = moving;
                    jvms.forEach(jvm -> jvm.phase(phase, moving));
                }
                LockSupport.parkNanos(LOOK.toNanos());
            }
            played.join();
            phases.add(new MoveResult.Phase(
                    phase, secondsSince(begin), seconds(used(jvms).minus(used))));
            return watch.moves();
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

    /** Looks at each entry that nobody changed, and adds up what was counted. */
    private static void check(LoadOptions options, LoadCaches caches, LoadReport report) {
        for (int from = 0; from < options.entries(); from += BATCH) {
            Map<String, Integer> numbers = new LinkedHashMap<>();
            IntStream.range(from, Math.min(options.entries(), from + BATCH))
                    .forEach(number -> numbers.put(LoadCaches.restKey(number), number));
            Map<String, String> found = caches.items().getAll(numbers.keySet());
            report.put("lost", numbers.size() - found.size());
            report.put(
                    "stale",
                    found.entrySet().stream()
                            .filter(entry ->
                                    LoadCaches.number(entry.getValue()) != numbers.getOrDefault(entry.getKey(), -1))
                            .count());
        }
        report.put("miscounted", miscounted(report, "invokes", sumOfCounters(caches)));
        long increments = sum(number -> caches.manager()
                .group(LoadCaches.countedRoot(number))
                .counter("visits")
                .get());
        report.put("miscounted", miscounted(report, "increments", increments));
    }

    private static long sumOfCounters(LoadCaches caches) {
        Set<String> keys = new HashSet<>();
        IntStream.range(0, LoadCaches.COUNTERS).mapToObj(LoadCaches::counterKey).forEach(keys::add);
        return caches.items().getAll(keys).values().stream()
                .mapToLong(LoadCaches::number)
                .sum();
    }

    private static long sum(Function<Integer, Long> counter) {
        return IntStream.range(0, LoadCaches.COUNTERS)
                .mapToLong(number -> counter.apply(number))
                .sum();
    }

    /** What is not known to have been counted may have been. */
    private static long miscounted(LoadReport report, String name, long found) {
        long acknowledged = report.sum(name);
        long most = acknowledged + report.sum(name + ".unknown");
        return found < acknowledged ? acknowledged - found : Math.max(0, found - most);
    }
}
