// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Delivers what clients and servers send to each other half a round trip later, in order: the network that the loopback interface
 * is not. It needs two threads for each direction of a connection, so it belongs into another process than those that are measured.
 *
 * <p>A byte is never early. How late it is depends on the system, which wakes a thread some 50 µs late: measure what a round trip
 * takes.
 */
public final class DelayingProxy implements AutoCloseable {
    private static final int READ_AT_ONCE = 64 * 1024;

    /** As many reads may be under way in one direction of a connection; the sender waits for the others to arrive. */
    private static final int UNDER_WAY = 64;

    private final long delayNanos;
    private final List<ServerSocket> doors = new ArrayList<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "keyslot-bench-network");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Bytes that were read.
     *
     * @param bytes empty at the end
     * @param due when they arrive, by {@link System#nanoTime}
     */
    private record Chunk(byte[] bytes, long due) {}

    private DelayingProxy(Duration roundTrip) {
        delayNanos = roundTrip.toNanos() / 2;
    }

    /**
     * Starts one in front of each server.
     *
     * @param roundTrip what is added to the time from a command to its answer
     */
    public static DelayingProxy start(List<URI> servers, Duration roundTrip) {
        DelayingProxy proxy = new DelayingProxy(roundTrip);
        try {
            for (URI server : servers) {
                ServerSocket door = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
                proxy.doors.add(door);
                proxy.threads.execute(() -> proxy.accept(door, server));
            }
            return proxy;
        } catch (IOException e) {
            proxy.close();
            throw new UncheckedIOException("Cannot listen between clients and servers", e);
        }
    }

    /** Returns where to connect to instead of the servers, in their order. */
    public List<URI> uris() {
        return doors.stream()
                .map(door -> URI.create("redis://127.0.0.1:" + door.getLocalPort()))
                .toList();
    }

    private void accept(ServerSocket door, URI server) {
        try {
            while (true) {
                Socket client = door.accept();
                Socket remote = new Socket();
                sockets.addAll(List.of(client, remote));
                try {
                    client.setTcpNoDelay(true);
                    remote.setTcpNoDelay(true);
                    remote.connect(new InetSocketAddress(server.getHost(), server.getPort()));
                    forward(client, remote);
                    forward(remote, client);
                } catch (IOException e) {
                    end(client, remote);
                }
            }
        } catch (IOException e) {
            // The proxy was closed.
        }
    }

    private void forward(Socket from, Socket to) {
        BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(UNDER_WAY);
        threads.execute(() -> untilInterrupted(() -> read(from, underWay)));
        threads.execute(() -> untilInterrupted(() -> write(underWay, from, to)));
    }

    private void read(Socket from, BlockingQueue<Chunk> underWay) throws InterruptedException {
        byte[] buffer = new byte[READ_AT_ONCE];
        try {
            for (int length = from.getInputStream().read(buffer);
                    length > 0;
                    length = from.getInputStream().read(buffer)) {
                underWay.put(new Chunk(Arrays.copyOf(buffer, length), System.nanoTime() + delayNanos));
            }
        } catch (IOException e) {
            // A connection that is broken has ended too.
        }
        underWay.put(new Chunk(new byte[0], System.nanoTime() + delayNanos));
    }

    private void write(BlockingQueue<Chunk> underWay, Socket from, Socket to) throws InterruptedException {
        try {
            for (Chunk chunk = arrived(underWay); chunk.bytes.length > 0; chunk = arrived(underWay)) {
                to.getOutputStream().write(chunk.bytes);
            }
            to.shutdownOutput();
            if (from.isOutputShutdown()) {
                end(from, to);
            }
        } catch (IOException e) {
            underWay.clear();
            end(from, to);
        }
    }

    private static Chunk arrived(BlockingQueue<Chunk> underWay) throws InterruptedException {
        Chunk chunk = underWay.take();
        for (long left = chunk.due - System.nanoTime(); left > 0; left = chunk.due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return chunk;
    }

    private void end(Socket one, Socket other) {
        for (Socket socket : List.of(one, other)) {
            try {
                sockets.remove(socket);
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot close a connection", e);
            }
        }
    }

    /** What a thread does until the proxy is closed. */
    private interface Work {
        void run() throws InterruptedException;
    }

    private static void untilInterrupted(Work work) {
        try {
            work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all connections. */
    @Override
    public void close() {
        try {
            for (ServerSocket door : doors) {
                door.close();
            }
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot close the network of the benchmark", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
