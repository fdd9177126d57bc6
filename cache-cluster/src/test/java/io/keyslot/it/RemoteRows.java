// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.race.Rows;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.cache.integration.CacheWriterException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of another process, on as many connections as threads ask at the same time. Safe for use by several threads.
 */
final class RemoteRows extends Rows {
    private final int port;
    private final Queue<Socket> idle = new ConcurrentLinkedQueue<>();

    /** @param port that of the {@link RowServer} */
    RemoteRows(int port) {
        this.port = port;
    }

    @Override
    public void put(String key, String value) {
        String unused = ask(RowServer.PUT, key, value);
    }

    @Override
    public void remove(String key) {
        String unused = ask(RowServer.REMOVE, key, "");
    }

    @Override
    public @Nullable String load(String key) {
        return ask(RowServer.LOAD, key, "");
    }

    private @Nullable String ask(String command, String key, String value) {
        try {
            Socket connection = connection();
            DataOutputStream questions = new DataOutputStream(connection.getOutputStream());
            questions.writeUTF(command);
            questions.writeUTF(key);
            questions.writeUTF(value);
            questions.flush();
            DataInputStream answers = new DataInputStream(connection.getInputStream());
            boolean isDone = answers.readBoolean();
            boolean isFound = answers.readBoolean();
            String found = answers.readUTF();
            idle.add(connection);
            if (!isDone) {
                throw new CacheWriterException("the database is not in the mood");
            }
            return isFound ? found : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Socket connection() throws IOException {
        Socket known = idle.poll();
        if (known != null) {
            return known;
        }
        Socket made = new Socket(InetAddress.getLoopbackAddress(), port);
        made.setTcpNoDelay(true);
        return made;
    }
}
