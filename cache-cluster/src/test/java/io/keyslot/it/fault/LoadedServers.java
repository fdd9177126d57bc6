// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.TestServers;
import io.keyslot.history.Action;
import io.keyslot.history.Operation;
import io.keyslot.history.Period;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.CacheManager;

/**
 * Three servers, a database, and two processes of eight threads that use them: {@link #LEFT}, which reaches the second
 * server through a network that can fail, and {@link #RIGHT}. This process is a third client, without load.
 */
final class LoadedServers implements AutoCloseable {
    static final String LEFT = TwoProcesses.LEFT;
    static final String RIGHT = TwoProcesses.RIGHT;

    /** The partition whose server and network are to fail. */
    static final String PARTITION = "p2";

    /** A call that needs the entry's partition, whatever the policies are. */
    static final Action NEVER_WITHOUT_PARTITION = Action.EXCHANGE;

    /** Lets every command of a fault test be given: some are off otherwise. */
    private static final String[] SERVER_ARGUMENTS = {
        "--enable-debug-command", "local", "--enable-protected-configs", "local"
    };

    private final Ticker ticker = new SystemTicker();
    private final Closing closing = new Closing();
    private final List<LocalServer> servers;
    private final Database database;
    private final FaultProxy network;
    private final PartitionedCache<String, Long> cache;
    private final Path directory;
    private final TwoProcesses processes;

    private LoadedServers(long seed, boolean isThrough, Map<String, String> settings, Set<Extra> extras)
            throws IOException {
        try {
            directory = closing.directory("keyslot-history-");
            servers = closing.add(TestServers.none()).start(3, SERVER_ARGUMENTS);
            database = closing.add(new Database(seed));
            network = closing.add(new FaultProxy(server().port()));
            CacheManager manager = closing.add(WorkloadCache.open("observer", addresses(server().uri()), settings));
            cache = WorkloadCache.create(manager, isThrough ? database.port() : 0);
            processes = new TwoProcesses(
                    closing.add(WorkloadJvm.start(workload(LEFT, 0, isThrough, seed, network.uri(), settings, extras))),
                    closing.add(
                            WorkloadJvm.start(workload(RIGHT, 1, isThrough, seed, server().uri(), settings, extras))));
            processes.go();
        } catch (IOException | RuntimeException | Error e) {
            closing.after(e); // a load that nobody ends would disturb the tests that follow
            throw e;
        }
    }

    /** Starts a load of reads and writes through the cache, with versions. */
    static LoadedServers withDatabase(long seed, Map<String, String> settings, Extra... extras) throws IOException {
        return new LoadedServers(seed, true, settings, Set.of(extras));
    }

    /** Starts a load of all kinds of calls on a few registers. */
    static LoadedServers withRegisters(long seed, Map<String, String> settings, Extra... extras) throws IOException {
        return new LoadedServers(seed, false, settings, Set.of(extras));
    }

    private Workload workload(
            String name,
            int number,
            boolean isThrough,
            long seed,
            String second,
            Map<String, String> settings,
            Set<Extra> extras) {
        return new Workload(
                name,
                number,
                database.port(),
                isThrough,
                seed,
                directory.resolve(name),
                addresses(second),
                extras,
                settings);
    }

    private List<String> addresses(String second) {
        return List.of(servers.get(0).uri(), second, servers.get(2).uri());
    }

    /** Returns the server of {@link #PARTITION}. */
    LocalServer server() {
        return servers.get(1);
    }

    /** Runs a command on {@link #server}, and returns the answer. */
    String tell(String... command) throws IOException {
        return Resp.run(server().port(), command);
    }

    /** Lets {@link #server} refuse writes for a time. */
    void refuseWrites(Refusal refusal, Duration duration) throws IOException, InterruptedException {
        try (Resp admin = new Resp(server().port())) {
            refusal.begin(admin);
            goOn(duration);
            refusal.end(admin);
        }
    }

    /** Returns the network between {@link #LEFT} and {@link #server}. */
    FaultProxy network() {
        return network;
    }

    Database database() {
        return database;
    }

    WorkloadJvm left() {
        return processes.left();
    }

    /** Returns the cache as this process sees it. */
    PartitionedCache<String, Long> cache() {
        return cache;
    }

    long now() {
        return ticker.nanos();
    }

    /** Lets time pass, while both processes go on. */
    void goOn(Duration duration) throws InterruptedException {
        processes.goOn(duration);
    }

    boolean isOfPartition(String key) {
        return cache.explain(key).partition().toString().equals(PARTITION);
    }

    /** Ends the load and returns all that was called, by the time of its beginning. */
    List<Operation> stop() throws IOException, InterruptedException {
        return processes.stop();
    }

    /** Returns when the machine stalled; after {@link #stop}. */
    List<Period> stalls() throws IOException {
        return processes.stalls();
    }

    /** Returns when a process may have used a journal; after {@link #stop}. */
    List<Period> journals() throws IOException {
        return processes.journals();
    }

    /** Returns what the listeners heard, each in its order; after {@link #stop}. */
    List<Heard> heard() throws IOException {
        return processes.heard();
    }

    @Override
    public void close() throws Exception {
        closing.close();
    }
}
