// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The network between one client and one server, on a port of 127.0.0.1.
 *
 * <p>Safe for use by several threads. A fault holds for the links that exist and for those to come, until the next one
 * is set.
 */
public final class FaultProxy implements AutoCloseable {
    private volatile int serverPort;
    private final Pace pace = new Pace();
    private final List<ProxyLink> links = new ArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final int port;
    private ProxyDoor door;

    public FaultProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.door = ProxyDoor.open(0, this::link);
        this.port = door.port();
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Leads to another server from now on, as an address does that follows the primary. Links that exist stay. */
    public void leadTo(int port) {
        serverPort = port;
    }

    /** Returns how many connections were accepted so far. */
    int accepted() {
        return accepted.get();
    }

    public synchronized void set(NetworkFault fault) throws IOException {
        pace.set(fault);
        if (fault == NetworkFault.REFUSE) {
            door.close();
        }
        synchronized (links) {
            switch (fault) {
                case RESET -> links.forEach(ProxyLink::reset);
                case REFUSE -> links.forEach(ProxyLink::close);
                default -> links.forEach(ProxyLink::resetIfTorn);
            }
            links.removeIf(ProxyLink::isClosed);
        }
        if (door.isClosed() && fault != NetworkFault.REFUSE) {
            door = ProxyDoor.open(port, this::link);
        }
    }

    static InetAddress loopback() throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    private void link(Socket client) {
        accepted.incrementAndGet();
        synchronized (links) {
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
    }

    @Override
    public synchronized void close() {
        pace.set(NetworkFault.NONE);
        door.close();
        synchronized (links) {
            links.forEach(ProxyLink::close);
        }
    }

    /** A port of 127.0.0.1 that somebody listens to, until it is closed. */
    private static final class ProxyDoor implements AutoCloseable {
        private static final int BACKLOG = 64;

        private final ServerSocket socket;
        private final Consumer<Socket> guests;
        private final Thread porter;

        private ProxyDoor(ServerSocket socket, Consumer<Socket> guests) {
            this.socket = socket;
            this.guests = guests;
            this.porter = new Thread(this::accept, "proxy-door");
        }

        /** Listens to {@code port}, 0 = any free one, and gives each connection to {@code guests}, in a thread of its own. */
        static ProxyDoor open(int port, Consumer<Socket> guests) throws IOException {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(FaultProxy.loopback(), port), BACKLOG);
            ProxyDoor door = new ProxyDoor(socket, guests);
            door.porter.setDaemon(true);
            door.porter.start();
            return door;
        }

        int port() {
            return socket.getLocalPort();
        }

        boolean isClosed() {
            return socket.isClosed();
        }

        private void accept() {
            while (!socket.isClosed()) {
                try {
                    guests.accept(socket.accept());
                } catch (IOException e) {
                    return; // the door was closed: a fault, or the end of the test
                }
            }
        }

        /**
         * Refuses connections from now on. A thread that waits in {@code accept} keeps the port open in the kernel until it
         * has noticed, so it is waited for: what it has accepted meanwhile was given to the guests.
         */
        @Override
        public void close() {
            try {
                socket.close();
                porter.join();
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot close the port of a proxy", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
