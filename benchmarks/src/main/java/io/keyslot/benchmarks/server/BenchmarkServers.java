// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.server;

import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Empty servers for a trial: those of the property {@value #PROPERTY}, or new ones that end with this object. */
public final class BenchmarkServers implements AutoCloseable {
    /** Addresses with process ids, separated by commas: {@code redis://127.0.0.1:7001#1234}. They are flushed. */
    public static final String PROPERTY = "keyslot.benchmark.servers";

    private final List<ServerProcess> processes;
    private final @Nullable LocalServers started;

    private BenchmarkServers(List<ServerProcess> processes, @Nullable LocalServers started) {
        this.processes = processes;
        this.started = started;
    }

    /** Flushes the servers of the property or, without it, starts {@code count} servers. */
    public static BenchmarkServers open(int count) {
        String named = System.getProperty(PROPERTY, "");
        if (named.isBlank()) {
            return start(count);
        }
        List<ServerProcess> processes =
                Stream.of(named.split(",", -1)).map(ServerProcess::parse).toList();
        processes.forEach(BenchmarkServers::empty);
        return new BenchmarkServers(processes, null);
    }

    /** Starts servers that store nothing on disk. */
    public static BenchmarkServers start(int count) {
        LocalServers started = LocalServers.create();
        try {
            List<ServerProcess> processes = started.start(count).stream()
                    .map(BenchmarkServers::processOf)
                    .toList();
            return new BenchmarkServers(processes, started);
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private static ServerProcess processOf(LocalServer server) {
        return new ServerProcess(URI.create(server.uri()), server.process().pid());
    }

    private static void empty(ServerProcess server) {
        RedisClient client = RedisClient.create(RedisURI.create(server.uri()));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().flushall();
        } finally {
            client.shutdown();
        }
    }

    public List<ServerProcess> processes() {
        return processes;
    }

    public List<URI> uris() {
        return processes.stream().map(ServerProcess::uri).toList();
    }

    /** Returns the value of {@value #PROPERTY} for these servers. */
    public String property() {
        return processes.stream().map(ServerProcess::toString).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        if (started != null) {
            started.close();
        }
    }
}
