// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the caches of a fault test are caches of: a number per key, in this process, for clients in any process.
 *
 * <p>One line per command, one per answer: {@code load key}, {@code write key number}, {@code delete key}, {@code ping -}. Loads can be made
 * slow, or fail. Safe for use by several threads.
 */
final class Database implements AutoCloseable {
    private static final int BACKLOG = 256;

    private final ServerSocket door;
    private final ConcurrentMap<String, Long> values = new ConcurrentHashMap<>();
    private final Random random;
    private volatile Predicate<String> counted = key -> true;
    private final AtomicInteger loading = new AtomicInteger();
    private final AtomicInteger mostLoading = new AtomicInteger();
    private volatile Duration slowness = Duration.ZERO;
    private volatile CountDownLatch quick = new CountDownLatch(1);
    private volatile int failingPercent;

    Database(long seed) throws IOException {
        this.random = new Random(seed);
        this.door = new ServerSocket(0, BACKLOG, FaultProxy.loopback());
        ProxyLink.start(this::accept, "database-door");
    }

    int port() {
        return door.getLocalPort();
    }

    @Nullable
    Long valueOf(String key) {
        return values.get(key);
    }

    void write(String key, long value) {
        values.put(key, value);
    }

    void delete(String key) {
        values.remove(key);
    }

    /** Lets each load take this long, and a share of them fail, until {@link #recover}. */
    void degrade(Duration slow, int percent) {
        quick = new CountDownLatch(1);
        slowness = slow;
        failingPercent = percent;
    }

    /** Lets loads be quick again, those that wait included. */
    void recover() {
        slowness = Duration.ZERO;
        failingPercent = 0;
        quick.countDown();
    }

    /** Lets {@link #takeMostLoading} count the loads of some keys only. */
    void countLoadsOf(Predicate<String> keys) {
        counted = keys;
        takeMostLoading();
    }

    /** Returns the most counted loads at the same time since the last call of this method. */
    int takeMostLoading() {
        return mostLoading.getAndSet(loading.get());
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                ProxyLink.start(() -> serve(client), "database");
            } catch (IOException e) {
                return; // closed: the test is over
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
                Writer out =
                        new BufferedWriter(new OutputStreamWriter(client.getOutputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.append(answer(line.split(" ", -1))).append('\n').flush();
            }
        } catch (IOException | InterruptedException e) {
            // The client's process has ended.
        }
    }

    private String answer(String[] command) throws InterruptedException {
        String key = command[1];
        return switch (command[0]) {
            case "load" -> load(key);
            case "ping" -> DatabaseClient.DONE;
            case "write" -> {
                write(key, Long.parseLong(command[2]));
                yield DatabaseClient.DONE;
            }
            case "delete" -> {
                delete(key);
                yield DatabaseClient.DONE;
            }
            default -> throw new IllegalArgumentException("Unknown command " + command[0]);
        };
    }

    private String load(String key) throws InterruptedException {
        boolean counts = counted.test(key);
        if (counts) {
            mostLoading.accumulateAndGet(loading.incrementAndGet(), Math::max);
        }
        try {
            boolean failing = isFailing();
            Long value = values.get(key);
            if (!slowness.isZero()) {
                boolean recovered = quick.await(slowness.toMillis(), TimeUnit.MILLISECONDS);
                failing &= !recovered;
            }
            return failing ? DatabaseClient.FAILED : value == null ? DatabaseClient.NOTHING : value.toString();
        } finally {
            if (counts) {
                loading.decrementAndGet();
            }
        }
    }

    private boolean isFailing() {
        synchronized (random) {
            return random.nextInt(100) < failingPercent;
        }
    }

    @Override
    public void close() {
        recover();
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot close the port of the database", e);
        }
    }
}
