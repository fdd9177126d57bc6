// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Publishes events to all readers: each receives every event in order, or is disconnected. Repeated events are skipped;
 * a new reader first receives the newest event of each kind. Thread-safe.
 */
public final class EventStreams implements AutoCloseable {
    private final Set<EventStream> open = new LinkedHashSet<>(); // guarded by this
    private final Map<String, String> newest = new LinkedHashMap<>(); // guarded by this
    private boolean isClosed;

    public synchronized int size() {
        return open.size();
    }

    /** Publishes a line without blocking: a stream whose reader is too slow is closed. */
    public synchronized void publish(String kind, String line) {
        if (!line.equals(newest.put(kind, line))) {
            byte[] message = message(kind, line);
            List.copyOf(open).stream().filter(stream -> !stream.offer(message)).forEach(this::drop);
        }
    }

    /** Returns the newest event of each kind. */
    public synchronized Map<String, String> newest() {
        return Map.copyOf(newest);
    }

    private static byte[] message(String kind, String line) {
        return "event: %s\ndata: %s\n\n".formatted(kind, line).getBytes(StandardCharsets.UTF_8);
    }

    boolean admit(HttpExchange exchange) throws IOException {
        EventStream stream = new EventStream(exchange, this::drop);
        synchronized (this) {
            if (isClosed || open.size() >= WebLimits.MOST_STREAMS) {
                return false;
            }
            open.add(stream);
            newest.forEach((kind, line) -> stream.offer(message(kind, line)));
        }
        try {
            WebAnswer.putHeaders(exchange.getResponseHeaders(), Map.of("Content-Type", "text/event-stream"));
            exchange.sendResponseHeaders(200, 0);
        } catch (IOException e) {
            drop(stream);
            throw e;
        }
        stream.start();
        return true;
    }

    private void drop(EventStream stream) {
        synchronized (this) {
            open.remove(stream);
        }
        stream.close();
    }

    @Override
    public void close() {
        List<EventStream> left;
        synchronized (this) {
            isClosed = true;
            left = List.copyOf(open);
            open.clear();
        }
        left.forEach(EventStream::close);
    }
}
