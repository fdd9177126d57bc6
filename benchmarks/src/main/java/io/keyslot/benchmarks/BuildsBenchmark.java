// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.BuildSide;
import io.keyslot.benchmarks.measure.ClassPath;
import io.keyslot.benchmarks.measure.Duel;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.server.ServerProcess;
import io.keyslot.benchmarks.workload.KeyChoice;
import io.keyslot.cache.EntityKey;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Compares this build with another one on separate servers. Each side has its own class loader with all libraries, so
 * that the JIT compiler does not share profiles between them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 20)
@Fork(1)
@Threads(1)
public class BuildsBenchmark {
    private static final int SERVERS = 3;
    private static final int CHOICES = 1 << 14;
    private static final long SEED = 20_261_124;

    /** A checkout that was packaged. If empty, this build competes with itself, which shows the accuracy. */
    @Param("")
    private String other = "";

    @Param("100000")
    private int entries;

    private @Nullable BenchmarkServers servers;
    private Map<String, IntConsumer> ours = Map.of();
    private Map<String, IntConsumer> theirs = Map.of();
    private int[] chosen = {};
    private int next;

    public BuildsBenchmark() {}

    BuildsBenchmark(String other, int entries) {
        this.other = other;
        this.entries = entries;
    }

    @Setup
    public void prepare() throws ReflectiveOperationException {
        BenchmarkServers started = BenchmarkServers.start(2 * SERVERS);
        servers = started;
        List<URI> uris = started.uris();
        ours = open(ClassPath.entries(), uris.subList(0, SERVERS));
        theirs = open(
                other.isEmpty() ? ClassPath.entries() : withBuildOf(Path.of(other)),
                uris.subList(SERVERS, 2 * SERVERS));
        chosen = KeyChoice.UNIFORM.choose(entries, CHOICES, SEED);
    }

    @SuppressWarnings("unchecked")
    private Map<String, IntConsumer> open(List<Path> jars, List<URI> uris) throws ReflectiveOperationException {
        URL[] urls = jars.stream().map(BuildsBenchmark::url).toArray(URL[]::new);
        ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return (Map<String, IntConsumer>) loader.loadClass(BuildSide.class.getName())
                    .getMethod("open", String.class, int.class)
                    .invoke(null, uris.stream().map(URI::toString).collect(Collectors.joining(",")), entries);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("Not a path: " + path, e);
        }
    }

    private static List<Path> withBuildOf(Path checkout) {
        Path api = codeOf(EntityKey.class);
        Path client = codeOf(KeyslotCachingProvider.class);
        return ClassPath.entries().stream()
                .map(entry -> {
                    if (entry.equals(api)) {
                        return jarOf(checkout, "cache-api", entry);
                    }
                    return entry.equals(client) ? jarOf(checkout, "cache-client", entry) : entry;
                })
                .toList();
    }

    private static Path jarOf(Path checkout, String module, Path ours) {
        Path theirs = checkout.resolve(module).resolve("target").resolve(ours.getFileName());
        if (!Files.exists(theirs)) {
            throw new IllegalArgumentException(
                    "other: there is no %s; build that checkout by ./mvnw package -DskipTests".formatted(theirs));
        }
        return theirs;
    }

    private static Path codeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("No path: " + type, e);
        }
    }

    @Benchmark
    public void get() {
        duel(BuildSide.GET);
    }

    @Benchmark
    public void put() {
        duel(BuildSide.PUT);
    }

    private void duel(String operation) {
        BenchmarkServers started = servers;
        IntConsumer one = ours.get(operation);
        IntConsumer two = theirs.get(operation);
        if (started == null || one == null || two == null) {
            throw new IllegalStateException("prepare comes first");
        }
        List<Long> pids = started.processes().stream().map(ServerProcess::pid).toList();
        new Duel(pids, System::nanoTime).round("this", () -> one.accept(next()), "other", () -> two.accept(next()));
    }

    private int next() {
        return chosen[++next & (CHOICES - 1)];
    }

    @TearDown
    public void end() {
        Stream.of(ours, theirs).map(side -> side.get(BuildSide.CLOSE)).forEach(close -> {
            if (close != null) {
                close.accept(0);
            }
        });
        if (servers != null) {
            servers.close();
        }
    }
}
