// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.cluster.local.ClusterNode;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.history.Action;
import io.keyslot.history.CallTimes;
import io.keyslot.history.Linearizability;
import io.keyslot.history.Linearizability.Model;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import io.keyslot.history.Period;
import io.keyslot.it.UpToThreeRuns;
import io.keyslot.slot.HashSlot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.CacheManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes use a cluster of three primaries and three replicas, of which something fails, moves, comes or goes. */
@Tag("thorough")
class ClusterFaultIT {
    /** A primary that is asked again at once is used again within this time, however long the servers took to agree on it. */
    private static final Duration USED_AGAIN = Duration.ofSeconds(2);

    /** Long enough for what servers need to hand a slot over, also on a machine that does other things as well. */
    private static final Map<String, String> PATIENT = Map.of(
            "keyslot.deadlines.connect", "10s", "keyslot.deadlines.call", "10s", "keyslot.deadlines.command", "3s");

    private static final Map<String, String> SHORT = Map.of(
            "keyslot.deadlines.connect", "1s", "keyslot.deadlines.call", "3s", "keyslot.deadlines.command", "1s");

    private static final Duration BEFORE = Duration.ofSeconds(2);
    private static final Duration AFTERWARDS = Duration.ofSeconds(3);
    private static final Duration LONGEST_FAILOVER = Duration.ofSeconds(40);

    private static final String FAILURES = "(PartitionUnavailable|OutcomeUnknown|CacheOverloaded)Exception: .*";

    private long seed;

    @FunctionalInterface
    private interface Change {
        void on(LoadedCluster load) throws Exception;
    }

    /** What servers do without losing anything is seen by nobody: no call fails, and there is one order of all. */
    private void noneNotices(String name, Change change) throws Exception {
        UpToThreeRuns.of(
                () -> {
                    seed = new Random().nextLong();
                    try (LoadedCluster load = new LoadedCluster(seed, PATIENT)) {
                        load.goOn(BEFORE);
                        long began = load.now();
                        change.on(load);
                        long ended = load.now();
                        load.goOn(BEFORE);
                        List<Operation> history = load.stop();

                        FaultReport.print(
                                name + " of " + Duration.ofNanos(ended - began), seed, new CallTimes(history));
                        assertThat(history)
                                .as("seed %d", seed)
                                .noneMatch(operation -> operation.note().contains("MOVED"));
                        assertThat(new Linearizability(Model.STRICT, FailoverHistory.SEALING).check(history))
                                .as("seed %d", seed)
                                .isEmpty();
                        assertThat(history).as("seed %d", seed).anyMatch(operation -> operation.start() > ended);
                        return history;
                    }
                },
                history -> assertThat(history)
                        .as("calls that failed, seed %d", seed)
                        .noneMatch(operation -> operation.outcome() != Outcome.OK));
    }

    @Test
    void noFault_isLinearizable() throws Exception {
        noneNotices("none, cluster", load -> {});
    }

    @Test
    void manualFailovers_areNotNoticed() throws Exception {
        noneNotices("manual failover", load -> {
            for (ClusterNode primary : load.cluster().primaries()) {
                load.cluster().failOverTo(load.cluster().replicasOf(primary).get(0));
            }
        });
    }

    @Test
    void fourThousandSlotsThatMove_areNotNoticed() throws Exception {
        noneNotices("reshard of 4,000 slots", load -> {
            ClusterNode from = load.busiest();
            load.cluster().moveSlots(from, other(load, from), load.slotsOf(from, 4_000));
        });
    }

    /**
     * Valkey 9 copies slots while the old owner serves them, and changes their owner in one step. They go and come back, so that the second
     * move leads to a node that had them before.
     */
    @Test
    void slotsThatServersMoveAtOnce_areNotNoticed() throws Exception {
        assumeThatServersMoveSlots();
        noneNotices("slots moved at once, and back", load -> {
            ClusterNode from = load.busiest();
            ClusterNode to = other(load, from);
            int first = from.slots().get(0);
            int last = first + from.slots().size() - 1;
            load.cluster().moveSlotsAtOnce(from, to, first, last - 1);
            load.goOn(Duration.ofSeconds(1));
            load.cluster().moveSlotsAtOnce(to, from, first, last - 1);
        });
    }

    private static void assumeThatServersMoveSlots() throws IOException {
        try (LocalServers servers = TestServers.none()) {
            String info = Resp.run(servers.start().port(), "INFO", "server");
            boolean isValkey = info.contains("valkey_version:");
            String found = info.lines()
                    .filter(line -> line.startsWith(isValkey ? "valkey_version:" : "redis_version:"))
                    .findFirst()
                    .orElse("no version");
            assumeTrue(
                    isValkey && Integer.parseInt(found.split("[:.]", -1)[1]) >= 9,
                    "CLUSTER MIGRATESLOTS came with Valkey 9.0; the server says " + found);
        }
    }

    private static ClusterNode other(LoadedCluster load, ClusterNode not) {
        return load.cluster().primaries().stream()
                .filter(node -> !node.equals(not))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void primaryThatComesAndGoes_isNotNoticed() throws Exception {
        noneNotices("a primary added and removed", load -> {
            LocalCluster cluster = load.cluster();
            ClusterNode added = cluster.add();
            for (ClusterNode primary : cluster.primaries()) {
                if (!primary.equals(added)) {
                    cluster.moveSlots(primary, added, load.slotsOf(primary, 500));
                }
            }
            load.goOn(Duration.ofSeconds(1));
            cluster.remove(added);
        });
    }

    /** Twenty in a row; every fifth time the node goes and another one comes at its address. */
    @Test
    void reshardsInARow_withAddressesThatAreUsedAgain_areNotNoticed() throws Exception {
        noneNotices("20 reshards", load -> {
            LocalCluster cluster = load.cluster();
            ClusterNode added = cluster.add();
            for (int reshard = 1; reshard <= 20; reshard++) {
                ClusterNode from = load.busiest();
                cluster.moveSlots(from, from.equals(added) ? other(load, from) : added, load.slotsOf(from, 100));
                if (reshard % 5 == 0) {
                    cluster.remove(added);
                    cluster.join(added);
                }
            }
        });
    }

    /**
     * What was seen of a failover.
     *
     * @param lostKeys those of the primary that was lost
     * @param began the moment before the fault
     * @param served when there was a primary of each slot, as it says itself
     */
    private record Failover(
            List<Operation> history, List<Period> stalls, Set<String> lostKeys, long began, long served) {
        /** Returns for each process how long after that it took to do something with the entries of the lost primary. */
        Map<String, Duration> usedAgain() {
            Map<String, Duration> again = new TreeMap<>();
            history.stream()
                    .filter(operation -> operation.end() > served
                            && operation.outcome() == Outcome.OK
                            && lostKeys.contains(operation.key()))
                    .forEach(operation -> again.merge(
                            operation.process(),
                            Duration.ofNanos(operation.end() - served),
                            (one, other) -> one.compareTo(other) <= 0 ? one : other));
            return again;
        }

        /** Returns the calls that failed though a primary answered, before the fault or long enough after it. */
        List<Operation> failuresWhileServed() {
            return history.stream()
                    .filter(operation -> operation.outcome() != Outcome.OK)
                    .filter(operation -> operation.end() < began
                            || operation.start() > served + USED_AGAIN.toNanos() + stalled(operation.process()))
                    .toList();
        }

        private long stalled(String process) {
            return stalls.stream()
                    .filter(stall -> stall.process().equals(process))
                    .mapToLong(stall -> stall.nanosWithin(served, Long.MAX_VALUE))
                    .sum();
        }
    }

    /**
     * What servers may lose is told apart: nothing is said of what entries hold between the fault and the moment when everybody agrees and each
     * was removed.
     */
    private void isOver(String name, FaultOfANode fault, Consumer<Failover> further) throws Exception {
        UpToThreeRuns.of(
                () -> {
                    seed = new Random().nextLong();
                    try (LoadedCluster load = new LoadedCluster(seed, SHORT)) {
                        load.goOn(BEFORE);
                        ClusterNode lost = load.busiest();
                        Set<String> lostKeys = load.keysOf(lost);
                        long began = load.now();
                        long served = fault.on(load, lost);
                        load.goOn(AFTERWARDS);
                        load.cluster().awaitAgreement();
                        List<Operation> removals = load.removeAll();
                        load.goOn(BEFORE);
                        Failover failover = new Failover(load.stop(), load.stalls(), lostKeys, began, served);
                        FailoverHistory history = new FailoverHistory(failover.history(), began, removals);

                        FaultReport.print(
                                name + ", served after " + Duration.ofNanos(served - began) + ", used again after "
                                        + failover.usedAgain(),
                                seed,
                                new CallTimes(failover.history()));
                        assertLinearizable(history.before());
                        assertLinearizable(history.after());
                        assertThat(history.invented()).as("seed %d", seed).isEmpty();
                        assertThat(failover.history())
                                .as("seed %d", seed)
                                .filteredOn(operation -> operation.outcome() != Outcome.OK)
                                .allSatisfy(operation ->
                                        assertThat(operation.note()).matches(FAILURES))
                                .noneMatch(operation -> operation.note().contains("MOVED"));
                        return failover;
                    }
                },
                failover -> {
                    assertThat(failover.failuresWhileServed())
                            .as("seed %d", seed)
                            .isEmpty();
                    assertThat(failover.usedAgain().keySet())
                            .containsExactlyInAnyOrder(LoadedCluster.LEFT, LoadedCluster.RIGHT);
                    assertThat(failover.usedAgain())
                            .as("seed %d", seed)
                            .allSatisfy((process, again) ->
                                    assertThat(again).isLessThan(USED_AGAIN.plusNanos(failover.stalled(process))));
                    further.accept(failover);
                });
    }

    private void assertLinearizable(List<Operation> history) {
        assertThat(new Linearizability(Model.STRICT, FailoverHistory.SEALING).check(history))
                .as("seed %d", seed)
                .isEmpty();
    }

    /** Lets a node fail, and returns the moment at which another one said that it is the primary in its place. */
    @FunctionalInterface
    private interface FaultOfANode {
        long on(LoadedCluster load, ClusterNode lost) throws Exception;
    }

    private static long servedBy(LoadedCluster load, ClusterNode replica) {
        Awaitility.await()
                .atMost(LONGEST_FAILOVER)
                .pollInterval(Duration.ofMillis(10))
                .pollDelay(Duration.ZERO)
                .until(() -> replica.isPrimary() && replica.slotCount() > 0);
        return load.now();
    }

    @Test
    void killedPrimary_isReplacedByItsReplica() throws Exception {
        isOver(
                "kill -9",
                (load, lost) -> {
                    ClusterNode replica = load.cluster().replicasOf(lost).get(0);
                    lost.server().kill();
                    long served = servedBy(load, replica);
                    load.goOn(Duration.ofSeconds(1));
                    lost.server().restart();
                    return served;
                },
                failover -> {});
    }

    @Test
    void suspendedPrimary_isReplacedByItsReplica_andComesBackAsOne() throws Exception {
        isOver(
                "SIGSTOP",
                (load, lost) -> {
                    ClusterNode replica = load.cluster().replicasOf(lost).get(0);
                    lost.server().suspend();
                    long served = servedBy(load, replica);
                    load.goOn(Duration.ofSeconds(1));
                    lost.server().resume();
                    return served;
                },
                failover -> {});
    }

    @Test
    void allNodesThatAreRestarted_areUsedAgain() throws Exception {
        isOver(
                "all nodes restarted",
                (load, lost) -> {
                    load.cluster().restart();
                    return load.now();
                },
                failover -> assertThat(new ArrayList<>(failover.usedAgain().values()))
                        .isNotEmpty());
    }

    /**
     * What was called around a failover in which servers may lose what they have acknowledged: they copy to replicas afterwards. So nothing is
     * said of what entries hold meanwhile; before it, and after each entry was removed, everything must be as without a fault.
     *
     * @param operations of the load
     * @param began the moment before the fault
     * @param removals one for each key, when the servers agreed again
     */
    private record FailoverHistory(List<Operation> operations, long began, List<Operation> removals) {
        /** What was sent and not answered is not done any more after that: its connection was replaced meanwhile, and ended. */
        private static final Duration LATEST = Duration.ofSeconds(1);

        /** What may have been done was done before its end, or never. */
        static final Linearizability.Sealing SEALING = (unknown, later) -> true;

        /** Returns what must be linearizable of the time before the fault. What was under way may have been done or not. */
        List<Operation> before() {
            return operations.stream()
                    .filter(operation -> operation.start() < began)
                    .flatMap(operation -> operation.end() < began && operation.outcome() != Outcome.UNKNOWN
                            ? Stream.of(operation)
                            : perhaps(operation))
                    .toList();
        }

        /** Returns what must be linearizable of the time after the removals, with these. */
        List<Operation> after() {
            Map<String, Operation> removed = new HashMap<>();
            removals.forEach(removal -> removed.put(removal.key(), removal));
            List<Operation> after = new ArrayList<>(removals);
            for (Operation operation : operations) {
                Operation removal = removed.get(operation.key());
                if (removal != null && operation.start() > removal.end()) {
                    after.add(operation);
                } else if (removal != null && latestEnd(operation) > removal.start()) {
                    perhaps(operation).forEach(after::add);
                }
            }
            return after;
        }

        /** Returns the moment after which a call is not done any more. */
        private static long latestEnd(Operation operation) {
            return operation.end() + (operation.outcome() == Outcome.UNKNOWN ? LATEST.toNanos() : 0);
        }

        /** Returns a change that was done or not, nothing for a read or for what was certainly not done. */
        private static Stream<Operation> perhaps(Operation operation) {
            return operation.action().isRead() || operation.outcome() == Outcome.FAILED
                    ? Stream.empty()
                    : Stream.of(new Operation(
                            operation.caller(),
                            operation.action(),
                            operation.key(),
                            operation.argument(),
                            operation.expected(),
                            Outcome.UNKNOWN,
                            null,
                            operation.start(),
                            latestEnd(operation),
                            operation.note()));
        }

        /** Returns calls that answered what nobody has ever written, whenever that was. */
        List<Operation> invented() {
            Map<String, NavigableSet<Long>> written = new HashMap<>();
            operations.forEach(operation -> {
                NavigableSet<Long> values = written.computeIfAbsent(operation.key(), key -> new TreeSet<>());
                if (operation.argument() != null) {
                    values.add(operation.argument());
                }
            });
            return operations.stream()
                    .filter(operation -> operation.outcome() == Outcome.OK
                            && operation.result() instanceof Long value
                            && !isWritten(value, written.getOrDefault(operation.key(), new TreeSet<>())))
                    .toList();
        }

        /** An increment makes the next number of one that was written, some thousand times at most. */
        private static boolean isWritten(long value, NavigableSet<Long> written) {
            Long before = written.floor(value);
            return before != null && value - before < RegisterScript.GAP;
        }
    }

    /**
     * A cluster of three primaries and three replicas, and two processes of eight threads that change a few entries by calls of all kinds.
     * This process is a third client, without load.
     */
    private static final class LoadedCluster implements AutoCloseable {
        static final String LEFT = TwoProcesses.LEFT;
        static final String RIGHT = TwoProcesses.RIGHT;

        /** Nodes take one of them for failed after a second, and keep what they were told through a restart. */
        private static final String[] SERVER_ARGUMENTS = {"--cluster-node-timeout", "1000", "--appendonly", "yes"};

        /** The load begins when all nodes are connected. */
        private static final Map<String, String> SETTINGS = Map.of(
                "keyslot.engine",
                "cluster",
                "keyslot.startup.wait",
                "30s",
                "keyslot.caches.things.missingPartition",
                "fail");

        private final Ticker ticker = new SystemTicker();
        private final Closing closing = new Closing();
        private final LocalCluster cluster;
        private final PartitionedCache<String, Long> cache;
        private final TwoProcesses processes;

        /** @param settings of the managers, such as deadlines */
        LoadedCluster(long seed, Map<String, String> settings) throws Exception {
            try {
                Path directory = closing.directory("keyslot-history-");
                cluster = closing.add(LocalCluster.start(3, 1, SERVER_ARGUMENTS));
                Database clock = closing.add(new Database(seed));
                Map<String, String> all = new HashMap<>(SETTINGS);
                all.putAll(settings);
                CacheManager manager = closing.add(WorkloadCache.open("observer", cluster.uris(), all));
                cache = WorkloadCache.create(manager, 0);
                processes = new TwoProcesses(
                        closing.add(WorkloadJvm.start(workload(LEFT, 0, clock.port(), seed, directory, all))),
                        closing.add(WorkloadJvm.start(workload(RIGHT, 1, clock.port(), seed, directory, all))));
                processes.go();
            } catch (IOException | RuntimeException | Error e) {
                closing.after(e); // a load that nobody ends would disturb the tests that follow
                throw e;
            }
        }

        private Workload workload(
                String name, int number, int clockPort, long seed, Path directory, Map<String, String> settings) {
            return new Workload(
                    name, number, clockPort, false, seed, directory.resolve(name), cluster.uris(), Set.of(), settings);
        }

        LocalCluster cluster() {
            return cluster;
        }

        long now() {
            return ticker.nanos();
        }

        /** Lets time pass, while both processes go on. */
        void goOn(Duration duration) throws InterruptedException {
            processes.goOn(duration);
        }

        /** Returns the slot of an entry. */
        static int slotOf(String key) {
            return HashSlot.of(WorkloadCache.NAME + ":" + key);
        }

        /** Returns the keys of the load. */
        static Set<String> keys() {
            return IntStream.range(0, RegisterScript.KEYS)
                    .mapToObj(i -> "r" + i)
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** Returns the keys that a node owns. */
        Set<String> keysOf(ClusterNode node) {
            Set<Integer> slots = Set.copyOf(node.slots());
            return keys().stream().filter(key -> slots.contains(slotOf(key))).collect(Collectors.toSet());
        }

        /** Returns the primary that owns most of the keys, which may be no more than others do. */
        ClusterNode busiest() {
            return cluster.primaries().stream()
                    .max(Comparator.comparingInt(node -> keysOf(node).size()))
                    .orElseThrow();
        }

        /** Returns {@code count} slots of a node, those of the load's keys first. */
        List<Integer> slotsOf(ClusterNode node, int count) {
            List<Integer> loaded = keysOf(node).stream()
                    .map(LoadedCluster::slotOf)
                    .distinct()
                    .sorted()
                    .toList();
            return Stream.concat(loaded.stream(), node.slots().stream().filter(slot -> !loaded.contains(slot)))
                    .limit(count)
                    .sorted()
                    .toList();
        }

        /** Removes each entry, whatever is there, and returns what was done: from then on it is known again what there is. */
        List<Operation> removeAll() {
            List<Operation> removals = new ArrayList<>();
            for (String key : keys()) {
                long start = now();
                cache.remove(key);
                removals.add(new Operation(
                        "observer-0", Action.DELETE, key, null, null, Outcome.OK, null, start, now(), ""));
            }
            return removals;
        }

        /** Ends the load and returns all that was called, by the time of its beginning. */
        List<Operation> stop() throws IOException, InterruptedException {
            return processes.stop();
        }

        /** Returns when the machine stalled; after {@link #stop}. */
        List<Period> stalls() throws IOException {
            return processes.stalls();
        }

        @Override
        public void close() throws Exception {
            closing.close();
        }
    }
}
