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
 * Server-sent events to one reader, by a thread of its own: it may be slow, and then waits in a write. To interrupt the thread closes
 * its channel, and ends that.
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

    /** Returns whether there was room for the message. */
    boolean offer(byte[] message) {
        return waiting.offer(message);
    }

    private void write() {
        try {
            OutputStream out = exchange.getResponseBody();
            while (!isClosed) {
                byte[] next = waiting.poll(WebLimits.BETWEEN_HEARTBEATS.toMillis(), TimeUnit.MILLISECONDS);
                out.write(next == null ? HEARTBEAT : next);
                out.flush();
            }
        } catch (IOException gone) {
            // Who does not read any more needs no answer.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            onEnd.accept(this);
            exchange.close();
        }
    }

    /** Ends it, even before it was started. */
    void close() {
        isClosed = true;
        writer.interrupt();
    }
}
