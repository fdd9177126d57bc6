// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.LocalServers;
import io.keyslot.cluster.local.TestServers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheWriter;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that are interrupted, on a real server. */
@SideBySide
class GivingUpIT {
    private static final int RACES = 60;
    private static final int LARGE = 2 << 20;

    private final ScheduledExecutorService interrupter = Executors.newSingleThreadScheduledExecutor();
    private final Random random = new Random(5);
    private LocalServers local;
    private CacheManager manager;
    private PartitionedCache<String, String> cache;

    @BeforeEach
    @SuppressWarnings("unchecked") // a cache of Keyslot
    void open() throws IOException {
        local = TestServers.none();
        List<LocalServer> servers = local.start(2);
        manager = KeyslotManagers.openPatiently(
                "giving-up", servers.stream().map(LocalServer::uri).toList());
        cache = manager.createCache(
                        "values", new MutableConfiguration<String, String>().setTypes(String.class, String.class))
                .unwrap(PartitionedCache.class);
    }

    @AfterEach
    void close() {
        boolean unused = Thread.interrupted();
        interrupter.shutdownNow();
        manager.close();
        local.close();
    }

    /** Runs a call that is interrupted at some moment; the thread is not interrupted any more when this returns. */
    private void interrupted(Runnable call) throws Exception {
        Thread thread = Thread.currentThread();
        var interruption = interrupter.schedule(thread::interrupt, random.nextInt(3_000), TimeUnit.MICROSECONDS);
        try {
            call.run();
        } catch (KeyslotException e) {
            // it may or may not have been applied; from now on it is not
        }
        interruption.cancel(false);
        interrupter.submit(() -> {}).get(); // whatever has begun is over
    }

    @Test
    void putThatWasInterrupted_neverComesAfterALaterOne() throws Exception {
        String large = "x".repeat(LARGE);
        List<String> wrong = new ArrayList<>();
        String last = "";
        for (int i = 0; i < RACES; i++) {
            if (i > 0 && !last.equals(cache.get("k"))) {
                wrong.add("before race " + i + " has " + shown(cache.get("k")));
            }
            cache.put("k", large);
            String first = "v1-" + i;
            raced(() -> cache.put("k", first));
            last = "v2-" + i;
            cache.put("k", last);
            if (!last.equals(cache.get("k"))) {
                wrong.add("race " + i + " has " + shown(cache.get("k")));
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void removeThatWasInterrupted_neverComesAfterALaterPut() throws Exception {
        String large = "x".repeat(LARGE);
        List<String> wrong = new ArrayList<>();
        String last = "";
        for (int i = 0; i < RACES; i++) {
            if (i > 0 && !last.equals(cache.get("k"))) {
                wrong.add("before race " + i + " has " + shown(cache.get("k")));
            }
            cache.put("k", large);
            raced(() -> cache.remove("k"));
            last = "v2-" + i;
            cache.put("k", last);
            if (!last.equals(cache.get("k"))) {
                wrong.add("race " + i + " has " + shown(cache.get("k")));
            }
        }

        assertThat(wrong).isEmpty();
    }

    /** Changes that an application makes, all of the same entry. */
    private static final Map<String, Consumer<Cache<String, String>>> CHANGES = Map.of(
            "put", entries -> entries.put("k", "new"),
            "putAll", entries -> entries.putAll(Map.of("k", "new")),
            "getAndPut", entries -> entries.getAndPut("k", "new"),
            "invoke",
                    entries -> entries.invoke("k", (entry, arguments) -> {
                        entry.setValue("new");
                        return null;
                    }),
            "remove", entries -> entries.remove("k"),
            "removeAll", entries -> entries.removeAll(Set.of("k")),
            "getAndRemove", entries -> entries.getAndRemove("k"));

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @SuppressWarnings("unchecked") // the view has the types of its cache
    void changeThatWasInterrupted_leavesInTheDatabaseWhatItSays(boolean behind) throws Exception {
        Map<String, String> database = new ConcurrentHashMap<>();
        PartitionedConfiguration<String, String> configuration =
                new PartitionedConfiguration<String, String>().setTypes(String.class, String.class);
        configuration.setWriteThrough(true).setCacheWriterFactory(() -> new MapWriter(database));
        if (behind) {
            configuration.setWriteBehind(WriteBehindOptions.defaults());
        }
        PartitionedCache<String, String> written =
                manager.createCache("written", configuration).unwrap(PartitionedCache.class);
        for (int i = 0; i < RACES; i++) {
            for (Map.Entry<String, Consumer<Cache<String, String>>> change : CHANGES.entrySet()) {
                written.put("k", "old");
                String done = change.getKey().toLowerCase(Locale.ROOT).contains("remove") ? "none" : "new";

                Throwable failure = i == 0
                        ? alreadyInterrupted(() -> change.getValue().accept(written))
                        : interruptedSoon(() -> change.getValue().accept(written));

                written.flushWrites(Duration.ofSeconds(30));
                assertThat(database.getOrDefault("k", "none"))
                        .as("%s in race %d ended with %s", change.getKey(), i, failure)
                        .isIn(
                                failure == null
                                        ? List.of(done)
                                        : failure instanceof CallInterruptedException
                                                ? List.of("old")
                                                : List.of("old", done));
                assertThat(written.get("k")).isIn(null, database.get("k"));
            }
        }
    }

    private static Throwable alreadyInterrupted(ThrowingCallable call) {
        Thread.currentThread().interrupt();
        try {
            Throwable failure = catchThrowable(call);
            assertThat(failure).isInstanceOf(CallInterruptedException.class);
            return failure;
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private @Nullable Throwable interruptedSoon(Runnable call) throws Exception {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        raced(() -> failure.set(catchThrowable(call::run)));
        return failure.get();
    }

    /** A database that is a map. */
    private record MapWriter(Map<String, String> rows) implements CacheWriter<String, String> {
        @Override
        public void write(Cache.Entry<? extends String, ? extends String> entry) {
            rows.put(entry.getKey(), entry.getValue());
        }

        @Override
        public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
            entries.forEach(this::write);
            entries.clear();
        }

        @Override
        public void delete(Object key) {
            rows.remove(key);
        }

        @Override
        public void deleteAll(Collection<?> keys) {
            keys.forEach(this::delete);
            keys.clear();
        }
    }

    private static String shown(String value) {
        return value == null || value.length() < 20 ? String.valueOf(value) : "the large one";
    }

    private void raced(Runnable call) throws Exception {
        try {
            interrupted(call);
        } catch (InterruptedException late) {
            // the interruption came after the call
        } finally {
            boolean unused = Thread.interrupted();
        }
    }

    @Test
    void interruptedThread_hearsOfIt_andNeverMissesWhatIsThere() {
        for (int i = 0; i < 100; i++) {
            cache.put("k" + i, "v");
        }

        assertInterrupted(() -> cache.get("k1"));
        assertInterrupted(() -> cache.containsKey("k1"));
        assertInterrupted(() -> cache.getAll(Set.of("k1", "k2")));
        assertInterrupted(() -> cache.scan(entry -> true, 10, null));
        assertInterrupted(() -> cache.put("k1", "other"));
        assertInterrupted(() -> cache.putAll(Map.of("k1", "other")));
        assertInterrupted(() -> cache.iterator().hasNext());
        assertThat(cache.get("k1")).isEqualTo("v");
    }

    private static void assertInterrupted(ThrowingCallable call) {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(call)
                    .isInstanceOf(CallInterruptedException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            boolean unused = Thread.interrupted();
        }
    }

    @Test
    void iterationThatIsInterrupted_doesNotEnd() {
        for (int i = 0; i < 300; i++) {
            cache.put("k" + i, "v");
        }
        Iterator<Cache.Entry<String, String>> iterator = cache.iterator();
        for (int i = 0; i < 50; i++) {
            assertThat(iterator.next().getValue()).isEqualTo("v");
        }

        assertInterrupted(() -> {
            while (iterator.hasNext()) {
                iterator.next();
            }
        });
    }
}
