// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The network between one client and one server, on a port of 127.0.0.1.
 *
 * <p>Safe for use by several threads. A fault holds for the links that exist and for those to come, until the next one
 * is set.
 */
final class FaultProxy implements AutoCloseable {
    private static final int BACKLOG = 64;

    private final int serverPort;
    private final int port;
    private final Pace pace = new Pace();
    private final List<ProxyLink> links = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private ServerSocket door;

    FaultProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.door = open(0);
        this.port = door.getLocalPort();
    }

    String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Returns how many connections were accepted so far. */
    int accepted() {
        return accepted.get();
    }

    synchronized void set(NetworkFault fault) throws IOException {
        pace.set(fault);
        switch (fault) {
            case RESET -> links.forEach(ProxyLink::reset);
            case REFUSE -> {
                door.close();
                links.forEach(ProxyLink::close);
            }
            default -> links.forEach(ProxyLink::resetIfTorn);
        }
        links.removeIf(ProxyLink::isClosed);
        if (door.isClosed() && fault != NetworkFault.REFUSE) {
            door = open(port);
        }
    }

    private ServerSocket open(int wanted) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(loopback(), wanted), BACKLOG);
        ProxyLink.start(() -> accept(socket), "proxy-door");
        return socket;
    }

    static InetAddress loopback() throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            Socket client;
            try {
                client = socket.accept();
            } catch (IOException e) {
                return; // the door was closed: a fault, or the end of the test
            }
            accepted.incrementAndGet();
            link(client);
        }
    }

    private synchronized void link(Socket client) {
        if (pace.fault() == NetworkFault.RESET) {
            ProxyLink.closeWithReset(client); // before a link could carry an answer
            return;
        }
        try {
            links.add(new ProxyLink(client, new Socket(loopback(), serverPort), pace));
        } catch (IOException e) {
            ProxyLink.closeWithReset(client); // as the server's machine does when nobody listens there
        }
    }

    @Override
    public synchronized void close() {
        pace.set(NetworkFault.NONE);
        links.forEach(ProxyLink::close);
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot close the port of a proxy", e);
        }
    }
}
