// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.client.ClientAssembly;
import io.keyslot.client.Clockwork;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.config.PartitionOptions;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.slot.PartitionId;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * Keyslot for tests: embedded partitions with simulated faults, in virtual time that passes only when a thread waits or
 * {@link #advance} is called. A call that would take half a second takes microseconds.
 *
 * <p>The caches are those of production, with the same routing, retries, deadlines, expiry and recovery. Only the
 * clock, the thread pools and the transport are replaced.
 * <ul>
 *   <li>A call of a cache advances the time only as far as it has to: if a partition does not answer, to its
 *       deadline.
 *   <li>Application code takes no time. A loader that is to take time calls {@link #advance}.
 *   <li>Asynchronous work starts before the call that starts it returns, and continues whenever time passes:
 *       {@link #await} waits for it. A plain {@code join()} works too, but takes a second of real time if virtual time
 *       has to pass.
 *   <li>With one thread and the same {@linkplain KeyslotSettings#seed() seed}, every run of a test is the same,
 *       also with the threads of {@link #interleave}. The order of the actions of other threads is not repeatable.
 * </ul>
 *
 * <p>Safe for use by several threads.
 */
public final class EmbeddedKeyslot implements AutoCloseable {
    /** The virtual time after which asynchronous work counts as stuck. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private final VirtualClockwork clockwork;
    private final BiFunction<Integer, ClientOptions, TopologySource> sources;
    private final Deadlines deadlines;
    private final Properties properties;
    private final Map<PartitionId, EmbeddedPartition> embedded = new LinkedHashMap<>();
    private final Map<PartitionId, PartitionFaults> partitions = new LinkedHashMap<>();
    private final Map<Integer, KeyslotCachingProvider> processes = new LinkedHashMap<>(); // guarded by itself

    private EmbeddedKeyslot(KeyslotSettings settings, BiFunction<Integer, ClientOptions, TopologySource> sources) {
        this.clockwork = new VirtualClockwork(settings.seed());
        this.sources = sources;
        this.properties = propertiesOf(settings);
        Network network = new Network(clockwork.time());
        ClientOptions options = ConfigurationLoader.load(
                uriOf(0), uriOf(0), EmbeddedKeyslot.class.getClassLoader(), properties, System::getenv);
        this.deadlines = options.deadlines();
        for (PartitionOptions partition : options.partitions()) {
            PartitionId id = partition.name();
            EmbeddedPartition incarnation =
                    new EmbeddedPartition(id, options.embeddedMaximumSize(), clockwork.ticker()::nanos);
            embedded.put(id, incarnation);
            partitions.put(id, new PartitionFaults(incarnation, network, clockwork.seeds()));
        }
    }

    private static Properties propertiesOf(KeyslotSettings settings) {
        Properties properties = new Properties();
        String configuration = settings.configuration();
        if (configuration != null) {
            properties.setProperty("keyslot.config", configuration);
        }
        properties.setProperty("keyslot.engine", "embedded");
        properties.setProperty("keyslot.partitions", Integer.toString(settings.partitions()));
        settings.properties().forEach(properties::setProperty);
        return properties;
    }

    private static URI uriOf(int process) {
        return URI.create(process == 0 ? "keyslot" : "keyslot-" + process);
    }

    public static EmbeddedKeyslot start() {
        return start(KeyslotSettings.defaults());
    }

    /** Starts with these settings; each partition is empty and has no fault. */
    public static EmbeddedKeyslot start(KeyslotSettings settings) {
        return start(
                settings,
                (process, options) -> TopologySource.fixed(new Layout(options.slotMap(), options.partitions())));
    }

    /** Starts with partitions that can move slots. The function returns the topology source of a process. */
    static EmbeddedKeyslot start(KeyslotSettings settings, BiFunction<Integer, ClientOptions, TopologySource> sources) {
        return new EmbeddedKeyslot(settings, sources);
    }

    PartitionConnector connector(int process, PartitionId partition) {
        return partition(partition).line(process, deadlines);
    }

    Clockwork clockwork() {
        return clockwork;
    }

    /** Returns the cache manager of process 0. */
    public PartitionedCacheManager cacheManager() {
        return cacheManager(0);
    }

    /**
     * Returns the cache manager of a process, numbered from 0, which connects at the first call. Processes share only
     * the partitions and the time.
     */
    public PartitionedCacheManager cacheManager(int process) {
        return provider(process)
                .getCacheManager(uriOf(process), null, properties)
                .unwrap(PartitionedCacheManager.class);
    }

    private KeyslotCachingProvider provider(int process) {
        synchronized (processes) {
            return processes.computeIfAbsent(process, this::start);
        }
    }

    private KeyslotCachingProvider start(int process) {
        return new KeyslotCachingProvider(new ClientAssembly(
                clockwork,
                options -> new EmbeddedPartitions(
                        embedded, partition -> partition(partition.id()).line(process, options.deadlines())),
                options -> sources.apply(process, options)));
    }

    /** Returns a partition by name: {@code p1}, {@code p2} and so on. */
    public PartitionFaults partition(String name) {
        return partition(new PartitionId(name));
    }

    private PartitionFaults partition(PartitionId id) {
        PartitionFaults partition = partitions.get(id);
        if (partition == null) {
            throw new IllegalArgumentException("There is no partition %s, only %s".formatted(id, partitions.keySet()));
        }
        return partition;
    }

    /** Returns all partitions in the order of their names. */
    public List<PartitionFaults> partitions() {
        return List.copyOf(partitions.values());
    }

    /** Returns the partition that owns the key. Reads from it, so call this method before injecting faults. */
    public <K> PartitionFaults partitionOf(Cache<K, ?> cache, K key) {
        @SuppressWarnings("unchecked") // a cache of this provider
        PartitionedCache<K, ?> partitioned = cache.unwrap(PartitionedCache.class);
        return partition(partitioned.explain(key).partition());
    }

    /** Advances the time and runs everything that is due by then. */
    public void advance(Duration duration) {
        clockwork.time().waitUntil(() -> false, duration.toNanos());
    }

    /** Returns the virtual time since the start. */
    public Duration elapsed() {
        return Duration.ofNanos(clockwork.time().nanos());
    }

    /**
     * Runs an event after a delay, possibly during a call that waits, on the waiting thread, which also receives its
     * exceptions.
     */
    public void after(Duration duration, Runnable event) {
        Event unused = clockwork.time().after(duration.toNanos(), event);
    }

    /**
     * Waits for asynchronous work, advancing the time as needed, and returns its result.
     *
     * @throws CompletionException if the work fails
     * @throws IllegalStateException if it is not complete after ten minutes of virtual time
     */
    public <T extends @Nullable Object> T await(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        CompletableFuture<T> unused =
                future.whenComplete((value, failure) -> clockwork.time().changed());
        clockwork.time().waitUntil(future::isDone, LONGEST_WAIT.toNanos());
        if (!future.isDone()) {
            throw new IllegalStateException("Not complete after " + LONGEST_WAIT + " of virtual time");
        }
        return future.join();
    }

    /**
     * Runs tasks concurrently, each in its own thread, and returns when all have ended. One thread runs at a time. At
     * each command to a partition, each answer, each wait and each {@link #yieldTurn}, a random choice selects the next
     * one of these threads and those of the clients' pools; the same seed gives the same run. When all of them wait,
     * time passes.
     *
     * <p>Create the cache managers that the tasks need before. The tasks must not wait for each other by means that
     * virtual time does not control, and may interrupt each other's threads.
     *
     * @throws IllegalStateException if they have not ended after ten minutes of virtual time, or one waits outside
     *     of virtual time
     */
    public void interleave(List<? extends Runnable> tasks) {
        List<Throwable> failures = new ArrayList<>();
        List<Worker> workers = new ArrayList<>();
        for (Runnable task : tasks) {
            workers.add(new Worker(
                    "keyslot-test-" + (workers.size() + 1), clockwork.time(), () -> run(task, failures::add)));
        }
        RandomGenerator chance = new Random(clockwork.seeds().nextLong());
        if (!clockwork.time().interleave(workers, chance, LONGEST_WAIT.toNanos())) {
            throw new IllegalStateException("Not ended after " + LONGEST_WAIT + " of virtual time");
        }
        rethrow(failures);
    }

    private static void run(Runnable task, Consumer<Throwable> onFailure) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            onFailure.accept(e);
        }
    }

    private static void rethrow(List<Throwable> failures) {
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.get(0);
        failures.stream().filter(next -> !next.equals(first)).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) first;
    }

    /** Gives other threads of {@link #interleave} a chance to run. Has no effect on any other thread. */
    public void yieldTurn() {
        clockwork.time().yieldTurn();
    }

    /** Closes all cache managers and ends pending waits. A second call has no effect. */
    @Override
    public void close() {
        try {
            List<KeyslotCachingProvider> open;
            synchronized (processes) {
                open = List.copyOf(processes.values());
                processes.clear();
            }
            open.forEach(KeyslotCachingProvider::close);
        } finally {
            clockwork.close();
        }
    }
}
