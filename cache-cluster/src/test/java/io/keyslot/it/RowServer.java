// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.race.Rows;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Rows of this process, for {@link RemoteRows} of others on the same machine. */
final class RowServer implements AutoCloseable {
    static final String PUT = "put";
    static final String REMOVE = "remove";
    static final String LOAD = "load";

    private final ServerSocket door;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile Rows rows;

    RowServer(Rows rows) throws IOException {
        this.rows = rows;
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    /** Serves other rows from now on. */
    void serve(Rows others) {
        rows = others;
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = door.accept();
                connection.setTcpNoDelay(true);
                connections.add(connection);
                threads.execute(() -> answer(connection));
            }
        } catch (IOException | RejectedExecutionException closed) {
            return;
        }
    }

    private void answer(Socket connection) {
        try (connection) {
            DataInputStream questions = new DataInputStream(connection.getInputStream());
            DataOutputStream answers = new DataOutputStream(connection.getOutputStream());
            while (true) {
                String command = questions.readUTF();
                String key = questions.readUTF();
                String value = questions.readUTF();
                boolean isDone = true;
                String found = null;
                try {
                    found = done(command, key, value);
                } catch (RuntimeException failed) {
                    isDone = false;
                }
                answers.writeBoolean(isDone);
                answers.writeBoolean(found != null);
                answers.writeUTF(found == null ? "" : found);
                answers.flush();
            }
        } catch (IOException gone) {
            connections.remove(connection);
        }
    }

    private @Nullable String done(String command, String key, String value) {
        switch (command) {
            case PUT -> rows.put(key, value);
            case REMOVE -> rows.remove(key);
            case LOAD -> {
                return rows.load(key);
            }
            default -> throw new IllegalArgumentException(command);
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket connection : connections) {
            connection.close();
        }
        threads.shutdownNow();
    }
}
