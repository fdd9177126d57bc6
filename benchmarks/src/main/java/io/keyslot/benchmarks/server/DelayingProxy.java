// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Delivers what clients and servers say to each other half a round trip later, in order: the network that the loopback interface
 * is not. One thread does it for all connections, so it belongs into another process than those that are measured.
 *
 * <p>A byte is never early. How late it is depends on the clock of the system, which wakes a thread some 50 µs after it was
 * told to: measure what a round trip takes.
 */
public final class DelayingProxy implements AutoCloseable {
    private static final int READ_AT_ONCE = 64 * 1024;

    /** As many bytes may be under way in one direction of a connection; a sender waits for the others to arrive. */
    private static final int UNDER_WAY = 4 * 1024 * 1024;

    /** Shorter than what a thread that sleeps takes to wake up. */
    private static final long LONGEST_NAP_NANOS = 20_000;

    private static final long SECONDS_TO_END = 10;

    private final long delayNanos;
    private final Selector selector;
    private final List<ServerSocketChannel> doors = new ArrayList<>();
    private final List<URI> uris = new ArrayList<>();

    /** All have the same delay, so the first one is due first. */
    private final Queue<Chunk> underWay = new ArrayDeque<>();

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_AT_ONCE);
    private final Thread thread;
    private volatile boolean closed;

    private DelayingProxy(Duration roundTrip) throws IOException {
        delayNanos = roundTrip.toNanos() / 2;
        selector = Selector.open();
        thread = new Thread(this::forward, "keyslot-bench-network");
        thread.setDaemon(true);
    }

    /**
     * Starts one in front of each server.
     *
     * @param roundTrip what is added to the time from a command to its answer
     */
    public static DelayingProxy start(List<URI> servers, Duration roundTrip) {
        try {
            DelayingProxy proxy = new DelayingProxy(roundTrip);
            try {
                for (URI server : servers) {
                    proxy.open(server);
                }
            } catch (IOException e) {
                proxy.closeAll();
                throw e;
            }
            proxy.thread.start();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot stand between clients and servers", e);
        }
    }

    private void open(URI server) throws IOException {
        ServerSocketChannel door = ServerSocketChannel.open();
        doors.add(door);
        door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        door.configureBlocking(false);
        door.register(selector, SelectionKey.OP_ACCEPT, new InetSocketAddress(server.getHost(), server.getPort()));
        int port = ((InetSocketAddress) door.getLocalAddress()).getPort();
        uris.add(URI.create("redis://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port));
    }

    /** Returns where to connect to instead of the servers, in their order. */
    public List<URI> uris() {
        return List.copyOf(uris);
    }

    private void forward() {
        try {
            while (!closed) {
                if (underWay.isEmpty()) {
                    selector.select();
                } else {
                    selector.selectNow();
                }
                boolean idle = selector.selectedKeys().isEmpty();
                for (SelectionKey key : selector.selectedKeys()) {
                    serve(key);
                }
                selector.selectedKeys().clear();
                deliver();
                nap(idle);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The network of the benchmark is gone", e);
        } finally {
            closeAll();
        }
    }

    private void nap(boolean idle) {
        Chunk next = underWay.peek();
        if (idle && next != null) {
            long left = next.due - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(Math.min(left, LONGEST_NAP_NANOS));
            }
        }
    }

    private void serve(SelectionKey key) throws IOException {
        if (key.attachment() instanceof InetSocketAddress server) {
            connect((ServerSocketChannel) key.channel(), server);
        } else if (key.attachment() instanceof End end) {
            try {
                end.serve(key);
            } catch (IOException e) {
                end.link.close();
            }
        }
    }

    private void connect(ServerSocketChannel door, InetSocketAddress server) throws IOException {
        SocketChannel client = door.accept();
        if (client == null) {
            return;
        }
        try {
            // On this machine it takes no time; that it is refused is an answer as well.
            SocketChannel remote = SocketChannel.open(server);
            new Link(client, remote).register();
        } catch (IOException e) {
            client.close();
        }
    }

    private void deliver() {
        long now = System.nanoTime();
        for (Chunk chunk = underWay.peek(); chunk != null && chunk.due - now <= 0; chunk = underWay.peek()) {
            underWay.remove();
            try {
                chunk.to.arrive(chunk.bytes);
            } catch (IOException e) {
                chunk.to.link.close();
            }
        }
    }

    /** Ends all connections. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(Duration.ofSeconds(SECONDS_TO_END).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeAll() {
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            for (ServerSocketChannel door : doors) {
                door.close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot close the network of the benchmark", e);
        }
    }

    /**
     * Bytes that were read, or that there are no more.
     *
     * @param bytes null for the end
     * @param due when they arrive, by {@link System#nanoTime}
     */
    private record Chunk(End to, @Nullable ByteBuffer bytes, long due) {}

    /** A connection from a client to a server. */
    private final class Link {
        private final End client;
        private final End server;

        Link(SocketChannel client, SocketChannel server) {
            this.client = new End(this, client);
            this.server = new End(this, server);
        }

        void register() throws IOException {
            client.register();
            server.register();
        }

        End other(End end) {
            return end == client ? server : client;
        }

        void close() {
            try {
                client.channel.close();
                server.channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot close a connection", e);
            }
        }
    }

    /** One of two ends of a connection: bytes are read from it, and bytes of the other one arrive here. */
    private final class End {
        private final Link link;
        private final SocketChannel channel;
        private final Queue<ByteBuffer> arrived = new ArrayDeque<>();

        /** What the other end has said and this one has not taken. */
        private int bytes;

        /** Whether this end has said all that it had to say. */
        private boolean silent;

        /** Whether nothing more will be said to this end. */
        private boolean complete;

        private @Nullable SelectionKey key;

        End(Link link, SocketChannel channel) {
            this.link = link;
            this.channel = channel;
        }

        void register() throws IOException {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            key = channel.register(selector, SelectionKey.OP_READ, this);
        }

        void serve(SelectionKey ready) throws IOException {
            if (ready.isValid() && ready.isReadable()) {
                read();
            }
            if (ready.isValid() && ready.isWritable()) {
                write();
            }
        }

        private void read() throws IOException {
            End other = link.other(this);
            long due = System.nanoTime() + delayNanos;
            buffer.clear();
            int length = channel.read(buffer);
            if (length < 0) {
                silent = true;
                interest(SelectionKey.OP_READ, false);
                underWay.add(new Chunk(other, null, due));
                return;
            }
            ByteBuffer copy = ByteBuffer.allocate(length);
            copy.put(buffer.flip()).flip();
            other.bytes += length;
            if (other.bytes >= UNDER_WAY) {
                interest(SelectionKey.OP_READ, false);
            }
            underWay.add(new Chunk(other, copy, due));
        }

        /** Takes what has travelled long enough. */
        void arrive(@Nullable ByteBuffer chunk) throws IOException {
            if (!channel.isOpen()) {
                return;
            }
            if (chunk == null) {
                complete = true;
            } else {
                arrived.add(chunk);
            }
            write();
        }

        private void write() throws IOException {
            for (ByteBuffer first = arrived.peek(); first != null; first = arrived.peek()) {
                int written = channel.write(first);
                bytes -= written;
                if (first.hasRemaining()) {
                    interest(SelectionKey.OP_WRITE, true);
                    return;
                }
                arrived.remove();
            }
            interest(SelectionKey.OP_WRITE, false);
            End other = link.other(this);
            if (complete) {
                channel.shutdownOutput();
                if (other.complete) {
                    link.close();
                }
            } else if (bytes < UNDER_WAY && !other.silent) {
                other.interest(SelectionKey.OP_READ, true);
            }
        }

        private void interest(int operation, boolean wanted) {
            SelectionKey registered = key;
            if (registered != null && registered.isValid()) {
                registered.interestOps(
                        wanted ? registered.interestOps() | operation : registered.interestOps() & ~operation);
            }
        }
    }
}
