// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.cluster.local.ClusterNode;
import io.keyslot.cluster.local.LocalCluster;
import io.keyslot.history.Action;
import io.keyslot.history.Operation;
import io.keyslot.history.Outcome;
import io.keyslot.history.Period;
import io.keyslot.slot.HashSlot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.cache.CacheManager;

/**
 * A cluster of three primaries and three replicas, and two processes of eight threads that change a few entries by calls of all kinds.
 * This process is a third client, without load.
 */
final class LoadedCluster implements AutoCloseable {
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
            removals.add(
                    new Operation("observer-0", Action.DELETE, key, null, null, Outcome.OK, null, start, now(), ""));
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
