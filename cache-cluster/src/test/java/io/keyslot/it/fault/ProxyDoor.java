// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/** A port of 127.0.0.1 that somebody listens to, until it is closed. */
final class ProxyDoor implements AutoCloseable {
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
