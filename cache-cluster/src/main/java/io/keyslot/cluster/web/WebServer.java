// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.keyslot.cluster.web.WebRequest.BadRequestException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves a {@link WebTable} on this machine. */
public final class WebServer implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(WebServer.class);
    private static final int BACKLOG = 64;
    private static final String LOOPBACK = "127.0.0.1";
    private static final Set<String> HOSTS = Set.of("localhost", LOOPBACK, "[::1]");
    private static final Set<String> SITES = Set.of("", "same-origin", "none");
    private static final byte[] LOOPBACK_BYTES = {127, 0, 0, 1};

    private final WebTable table;
    private final EventStreams streams;
    private final HttpServer server;
    private final ThreadPoolExecutor workers;

    private WebServer(WebTable table, EventStreams streams, HttpServer server) {
        this.table = table;
        this.streams = streams;
        this.server = server;
        AtomicInteger number = new AtomicInteger();
        this.workers = new ThreadPoolExecutor(
                WebLimits.MOST_WORKERS,
                WebLimits.MOST_WORKERS,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WebLimits.MOST_WAITING_REQUESTS),
                work -> {
                    Thread thread = new Thread(work, "keyslot-page-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        workers.allowCoreThreadTimeOut(true);
    }

    /**
     * Opens the server on the loopback interface; throws IOException if the port is in use. Port 0 selects a free port.
     */
    public static WebServer open(int port, WebTable table, EventStreams streams) throws IOException {
        WebLimits.setSystemProperty();
        HttpServer http =
                HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK_BYTES), port), BACKLOG);
        WebServer server = new WebServer(table, streams, http);
        http.setExecutor(server.workers);
        http.createContext("/", server::handle);
        http.start();
        return server;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String address() {
        return "http://%s:%d/".formatted(LOOPBACK, port());
    }

    private void handle(HttpExchange exchange) throws IOException {
        WebRequest request = new WebRequest(exchange);
        try {
            if (isForeign(request)) {
                refuse(exchange, 403, "This page answers programs and browsers of this machine");
            } else if (!table.isEvents(request)) {
                answer(request).send(exchange);
            } else if (!streams.admit(exchange)) {
                refuse(exchange, 503, "There are %d streams already".formatted(WebLimits.MOST_STREAMS));
            }
        } catch (BadRequestException e) {
            refuse(exchange, e.status(), String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOGGER.warn("A request was not answered", e);
            refuse(exchange, 500, "It failed; the log of keyslot serve says why");
        }
    }

    /**
     * Returns whether another site in the same browser may have sent a request: by DNS rebinding, which the {@code Host}
     * shows, or from its own page, which the {@code Origin} shows.
     */
    private static boolean isForeign(WebRequest request) {
        String host = request.header("Host");
        int port = host.lastIndexOf(':');
        boolean hasPort = // that of a tunnel, perhaps
                port > host.lastIndexOf(']') && host.substring(port + 1).matches("\\d{1,5}");
        String origin = request.header("Origin");
        // Links from other sites may lead to the page, which shows only public data.
        boolean mayBeLinked = request.path().equals("/") || SITES.contains(request.header("Sec-Fetch-Site"));
        return !HOSTS.contains(hasPort ? host.substring(0, port) : host)
                || !(origin.isEmpty() || origin.equals("http://" + host))
                || !mayBeLinked;
    }

    private WebAnswer answer(WebRequest request) throws IOException {
        request.requireFit();
        return table.handler(request)
                .orElse(asked -> WebAnswer.refused(404, "There is nothing here"))
                .answer(request);
    }

    /** The rest of the request is not read. */
    private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
        WebAnswer.refused(status, why).with("Connection", "close").send(exchange);
        exchange.close();
    }

    @Override
    public void close() {
        streams.close();
        server.stop(0);
        workers.shutdownNow();
    }
}
