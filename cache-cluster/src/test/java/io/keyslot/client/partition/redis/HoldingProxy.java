// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A network between client and server that delivers late, as networks do, and changes answers, as they should not. */
final class HoldingProxy implements AutoCloseable {
    private final ServerSocket door;
    private volatile int serverPort;
    private final List<Link> links = new CopyOnWriteArrayList<>();
    private volatile UnaryOperator<String> answers = UnaryOperator.identity();

    HoldingProxy(int serverPort) throws IOException {
        this(serverPort, 0, 1);
    }

    /** On a port of {@code 127.0.0.x}. */
    HoldingProxy(int serverPort, int port, int x) throws IOException {
        this.door = new ServerSocket(port, 16, ipV4(x));
        this.serverPort = serverPort;
        start(this::accept, "proxy-door");
    }

    private static InetAddress ipV4(int x) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) x});
    }

    /** Returns whether anybody has connected. */
    boolean isUsed() {
        return !links.isEmpty();
    }

    String uri() {
        return "redis://127.0.0.1:" + door.getLocalPort();
    }

    String uri(String credentials) {
        return "redis://" + credentials + "@127.0.0.1:" + door.getLocalPort();
    }

    /** Leads to another server from now on, as an address does that follows the primary; cuts the links that exist. */
    synchronized void leadTo(int port) throws IOException {
        serverPort = port;
        for (Link link : links) {
            link.server.close();
            link.client.close();
        }
        links.clear();
    }

    /** Changes every answer from now on. */
    void changeAnswers(UnaryOperator<String> change) {
        answers = change;
    }

    /** Keeps what is sent on the links that exist; a link that its client closes stays open towards the server. */
    synchronized void hold() {
        links.forEach(link -> link.held = true);
    }

    /** Delivers what was kept, and returns when it was. */
    void release() throws InterruptedException {
        for (Link link : links) {
            link.released.countDown();
            if (link.held) {
                link.upward.join(TimeUnit.SECONDS.toMillis(10));
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                if (!open(client)) {
                    client.close();
                }
            }
        } catch (IOException e) {
            // The door was closed: the test is over.
        }
    }

    /** A link is known before anything passes it: who has an answer through it can hold or cut it. */
    private synchronized boolean open(Socket client) {
        if (door.isClosed()) {
            return false;
        }
        try {
            Link link = new Link(client, new Socket(ipV4(1), serverPort));
            links.add(link);
            link.start();
            return true;
        } catch (IOException e) {
            return false; // as the server would do it
        }
    }

    private static Thread start(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public synchronized void close() throws IOException {
        door.close();
        for (Link link : links) {
            link.released.countDown();
            link.client.close();
            link.server.close();
        }
    }

    private final class Link {
        private final Socket client;
        private final Socket server;
        private final CountDownLatch released = new CountDownLatch(1);
        private final Thread upward = new Thread(this::sendUp, "proxy-up");
        private volatile boolean held;

        private Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void start() {
            upward.setDaemon(true);
            upward.start();
            HoldingProxy.start(this::sendDown, "proxy-down");
        }

        private void sendUp() {
            byte[] buffer = new byte[64 * 1024];
            try {
                InputStream from = client.getInputStream();
                OutputStream to = server.getOutputStream();
                for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                    if (held) {
                        released.await();
                    }
                    to.write(buffer, 0, read);
                }
            } catch (IOException | InterruptedException e) {
                // One side has closed the link, which is what a test may be about.
            }
        }

        private void sendDown() {
            byte[] buffer = new byte[64 * 1024];
            try {
                InputStream from = server.getInputStream();
                OutputStream to = client.getOutputStream();
                for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                    String answer = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
                    to.write(answers.apply(answer).getBytes(StandardCharsets.ISO_8859_1));
                }
                client.close();
            } catch (IOException e) {
                // One side has closed the link, which is what a test may be about.
            }
        }
    }
}
