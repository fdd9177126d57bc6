// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/** Reads and writes the {@link Database}, on as many connections as threads do at the same time. Safe for use by several threads. */
final class DatabaseClient implements CacheLoader<String, Long>, CacheWriter<String, Long> {
    static final String DONE = "done";
    static final String NOTHING = "nothing";
    static final String FAILED = "failed";

    private final int port;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

    DatabaseClient(int port) {
        this.port = port;
    }

    @Override
    public @Nullable Long load(String key) {
        String answer = ask("load " + key);
        if (answer.equals(FAILED)) {
            throw new IllegalStateException("The database does not want to");
        }
        return answer.equals(NOTHING) ? null : Long.valueOf(answer);
    }

    @Override
    public Map<String, Long> loadAll(Iterable<? extends String> keys) {
        Map<String, Long> loaded = new LinkedHashMap<>();
        for (String key : keys) {
            Long value = load(key);
            if (value != null) {
                loaded.put(key, value);
            }
        }
        return loaded;
    }

    @Override
    public void write(Cache.Entry<? extends String, ? extends Long> entry) {
        ask("write %s %d".formatted(entry.getKey(), entry.getValue()));
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends Long>> entries) {
        entries.forEach(this::write);
    }

    @Override
    public void delete(Object key) {
        ask("delete " + key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
        keys.forEach(this::delete);
    }

    /** Waits for an answer that says nothing. */
    void ping() {
        ask("ping -");
    }

    private String ask(String command) {
        try {
            Connection connection = idle.poll();
            if (connection == null) {
                connection = new Connection(port);
            }
            String answer = connection.ask(command);
            idle.add(connection);
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException("The database does not answer", e);
        }
    }

    private static final class Connection {
        private final Socket socket;
        private final BufferedReader in;

        private Connection(int port) throws IOException {
            socket = new Socket(FaultProxy.loopback(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        private String ask(String command) throws IOException {
            socket.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            String answer = in.readLine();
            if (answer == null) {
                throw new IOException("The connection was closed");
            }
            return answer;
        }
    }
}
