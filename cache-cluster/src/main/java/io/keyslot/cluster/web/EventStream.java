// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Server-sent events to one reader on a separate thread, which blocks if the reader is slow. Interrupting the thread
 * closes its channel and so ends the write.
 */
final class EventStream {
    private static final byte[] HEARTBEAT = ": here\n\n".getBytes(StandardCharsets.US_ASCII);

    private final HttpExchange exchange;
    private final Consumer<EventStream> onEnd;
    private final Thread writer = new Thread(this::write, "keyslot-page-events");
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(WebLimits.MOST_WAITING_MESSAGES);
    private volatile boolean isClosed;

    EventStream(HttpExchange exchange, Consumer<EventStream> onEnd) {
        this.exchange = exchange;
        this.onEnd = onEnd;
        writer.setDaemon(true);
    }

    void start() {
        writer.start();
    }

    boolean offer(byte[] message) {
        return waiting.offer(message);
    }

    private void write() {
        try {
            OutputStream out = exchange.getResponseBody();
            out.flush(); // sends the headers, which JDK 25 keeps until then
            while (!isClosed) {
                byte[] next = waiting.poll(WebLimits.BETWEEN_HEARTBEATS.toMillis(), TimeUnit.MILLISECONDS);
                out.write(next == null ? HEARTBEAT : next);
                out.flush();
            }
        } catch (IOException gone) {
            // The reader is gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            onEnd.accept(this);
            exchange.close();
        }
    }

    /** Ends the stream, even if it was not started. */
    void close() {
        isClosed = true;
        writer.interrupt();
    }
}
