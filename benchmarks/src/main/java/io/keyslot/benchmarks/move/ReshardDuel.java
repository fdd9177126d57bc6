// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.benchmarks.contender.KeyslotProvider;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.map.MovePace;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.move.MoveProgress;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.PlanRun;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanFacts;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.slot.HashSlot;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.cache.Cache;

/**
 * The same entries in two nodes of a Redis Cluster and in two partitions of Keyslot, and the same slots moved from the first to
 * the second: by {@code redis-cli --cluster reshard}, and by a plan. Nobody else uses them meanwhile.
 *
 * @param keys how many entries there are, under the same keys and with the same values on both sides
 * @param valueBytes the length of each value
 * @param slots how many slots move, of the 8,192 that the first one has
 * @param cli the program that reshards: {@code redis-cli} or {@code valkey-cli}
 */
public record ReshardDuel(int keys, int valueBytes, int slots, List<String> cli) {
    private static final String TYPE = "customer";
    private static final int HALF = HashSlot.COUNT / 2;
    private static final int BATCH = 1_000;
    private static final Duration LONGEST_FORMING = Duration.ofSeconds(20);
    private static final long LONGEST_MINUTES = 30;
    private static final PartitionId FIRST = new PartitionId("p1");
    private static final PartitionId SECOND = new PartitionId("p2");

    /** How many keys went over, and in which time; the steps are empty if they are not known. */
    public record Run(long moved, double seconds, List<MoveTimes> moves) {
        public double keysPerSecond() {
            return moved / seconds;
        }
    }

    private String value(int number) {
        String text = Integer.toString(number);
        return text + "x".repeat(Math.max(0, valueBytes - text.length()));
    }

    /**
     * Reshards two nodes of a cluster.
     *
     * @param pipeline how many keys one MIGRATE takes; 10 is the program's default
     */
    public Run cluster(int pipeline) {
        RedisClient client = RedisClient.create();
        try (LocalServers servers = LocalServers.create()) {
            List<LocalServer> nodes = servers.start(2, "--cluster-enabled", "yes");
            try (StatefulRedisConnection<String, String> first = client.connect(uri(nodes.get(0)));
                    StatefulRedisConnection<String, String> second = client.connect(uri(nodes.get(1)))) {
                form(first, second, nodes.get(1));
                fill(first, 0, HALF);
                fill(second, HALF, HashSlot.COUNT);
                long before = second.sync().dbsize();
                String from = first.sync().clusterMyId();
                String to = second.sync().clusterMyId();
                List<String> command = new ArrayList<>(cli);
                command.addAll(List.of(
                        "--cluster", "reshard", "127.0.0.1:" + nodes.get(0).port()));
                command.addAll(List.of("--cluster-from", from, "--cluster-to", to));
                command.addAll(List.of("--cluster-slots", Integer.toString(slots), "--cluster-yes"));
                command.addAll(List.of("--cluster-pipeline", Integer.toString(pipeline)));
                long begin = System.nanoTime();
                run(command, servers.servers().get(0).directory().resolve("reshard.log"));
                return new Run(second.sync().dbsize() - before, secondsSince(begin), List.of());
            }
        } finally {
            client.shutdown();
        }
    }

    private static RedisURI uri(LocalServer server) {
        return RedisURI.create(server.uri());
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private static void form(
            StatefulRedisConnection<String, String> first,
            StatefulRedisConnection<String, String> second,
            LocalServer other) {
        first.sync().clusterAddSlots(IntStream.range(0, HALF).toArray());
        second.sync().clusterAddSlots(IntStream.range(HALF, HashSlot.COUNT).toArray());
        first.sync().clusterMeet("127.0.0.1", other.port());
        long begin = System.nanoTime();
        while (!isFormed(first) || !isFormed(second)) {
            if (System.nanoTime() - begin > LONGEST_FORMING.toNanos()) {
                throw new IllegalStateException(
                        "Two servers did not become a cluster: " + first.sync().clusterInfo());
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    private static boolean isFormed(StatefulRedisConnection<String, String> node) {
        String info = node.sync().clusterInfo();
        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:2");
    }

    private void fill(StatefulRedisConnection<String, String> node, int lowest, int beyond) {
        node.setAutoFlushCommands(false);
        List<Future<String>> sent = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            String key = TYPE + ":" + i;
            int slot = HashSlot.of(key);
            if (slot >= lowest && slot < beyond) {
                sent.add(node.async().set(key, value(i)));
            }
            if (sent.size() == BATCH || i == keys - 1) {
                node.flushCommands();
                sent.forEach(ReshardDuel::await);
                sent.clear();
            }
        }
        node.setAutoFlushCommands(true);
    }

    private static void await(Future<String> answer) {
        try {
            String unused = answer.get(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while servers were filled", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("A server cannot be filled", e);
        }
    }

    private static void run(List<String> command, Path log) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IllegalStateException("It does not end: " + command);
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(
                        command + " ended with status " + process.exitValue() + ": " + Files.readString(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while " + command + " ran", e);
        }
    }

    /** The whole of it: what the map goes through, both barriers, and the source emptied in the end. */
    public Run keyslot() {
        try (LocalServers servers = LocalServers.create()) {
            List<LocalServer> two = servers.start(2);
            String uris = two.get(0).uri() + "," + two.get(1).uri();
            fill(uris);
            Properties properties = new Properties();
            properties.setProperty("keyslot.metrics", "false");
            properties.setProperty("keyslot.catalogue", "instances");
            properties.setProperty("keyslot.partitions", uris);
            try (OpenCatalogue client = OpenCatalogue.of(properties)) {
                SlotSet moving = client.newest().slots().slotsOf(FIRST).lowest(slots);
                long begin = System.nanoTime();
                Plan plan = new Planner(client.newest(), PlanFacts.NONE).move(moving, SECOND);
                try (PlanRun run = new PlanRun(plan, "reshard", client);
                        PlanWatch watch = PlanWatch.of(run::progress)) {
                    run.run(MovePace.FULL);
                    double seconds = secondsSince(begin);
                    List<MoveTimes> moves = watch.moves();
                    long moved = moves.stream()
                            .map(MoveTimes::end)
                            .map(MoveProgress::copied)
                            .mapToLong(MoveProgress.Amount::keys)
                            .sum();
                    return new Run(moved, seconds, moves);
                }
            }
        }
    }

    private void fill(String uris) {
        try (PartitionedCacheManager manager = KeyslotProvider.open("reshard", uris)) {
            Cache<Integer, String> cache = manager.createCache(
                    TYPE, new PartitionedConfiguration<Integer, String>().setTypes(Integer.class, String.class));
            Map<Integer, String> some = new HashMap<>();
            for (int i = 0; i < keys; i++) {
                some.put(i, value(i));
                if (some.size() == BATCH || i == keys - 1) {
                    cache.putAll(some);
                    some.clear();
                }
            }
        }
    }
}
