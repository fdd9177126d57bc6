// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** One connection through a {@link FaultProxy}: two directions, each with a thread that reads and one that delivers. */
final class ProxyLink {
    private static final int BUFFER = 64 * 1024;

    private final Socket client;
    private final Socket server;
    private final Pace pace;
    private volatile boolean isTorn;

    ProxyLink(Socket client, Socket server, Pace pace) throws IOException {
        this.client = client;
        this.server = server;
        this.pace = pace;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        connect(client, server, false);
        connect(server, client, true);
    }

    private void connect(Socket from, Socket to, boolean isAnswer) {
        BlockingQueue<Chunk> onTheWay = new LinkedBlockingQueue<>();
        start(() -> read(from, onTheWay, isAnswer), "proxy-read");
        start(() -> deliver(onTheWay, to), "proxy-deliver");
    }

    private void read(Socket from, BlockingQueue<Chunk> onTheWay, boolean isAnswer) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (pace.loses(isAnswer)) {
                    isTorn = true;
                } else {
                    onTheWay.add(new Chunk(Arrays.copyOf(buffer, read), pace.due(isAnswer)));
                }
            }
        } catch (IOException e) {
            // One side has closed the link, which the other side is told below.
        }
        onTheWay.add(new Chunk(new byte[0], 0));
    }

    private void deliver(BlockingQueue<Chunk> onTheWay, Socket to) {
        try {
            OutputStream out = to.getOutputStream();
            for (Chunk chunk = onTheWay.take(); !chunk.isEnd(); chunk = onTheWay.take()) {
                pace.awaitDelivery(chunk.due);
                out.write(chunk.bytes);
            }
            pace.awaitDelivery(0);
        } catch (IOException | InterruptedException e) {
            // The other side has gone.
        }
        close();
    }

    /** Closes it with RST if it has lost bytes: TCP either delivers all or breaks. */
    void resetIfTorn() {
        if (isTorn && !pace.loses(true)) {
            reset();
        }
    }

    void reset() {
        closeWithReset(client);
        closeWithReset(server);
    }

    static void closeWithReset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // Closed already, by the other end.
        }
    }

    boolean isClosed() {
        return client.isClosed();
    }

    void close() {
        try {
            client.close();
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot close a link of a proxy", e);
        }
    }

    static void start(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Bytes that were read at once; none at the end. */
    private static final class Chunk {
        private final byte[] bytes;
        private final long due;

        private Chunk(byte[] bytes, long due) {
            this.bytes = bytes;
            this.due = due;
        }

        private boolean isEnd() {
            return bytes.length == 0;
        }
    }
}
