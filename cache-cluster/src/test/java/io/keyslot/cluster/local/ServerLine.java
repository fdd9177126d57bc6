// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A synchronous connection to a local server. Texts have a character for each byte, so that binary keys survive. Not
 * safe for use by several threads.
 */
public final class ServerLine implements AutoCloseable {
    /** More than a server needs to move the keys of one step. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);

    private final Socket socket;
    private final OutputStream out;
    private final DataInputStream in;

    /** An answer that is an error of the server. */
    public record Refused(String text) {}

    ServerLine(int port) throws IOException {
        this(port, LONGEST_ANSWER);
    }

    public ServerLine(int port, Duration longestAnswer) throws IOException {
        socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(LocalServer.loopback(), port), (int) longestAnswer.toMillis());
            socket.setSoTimeout((int) longestAnswer.toMillis());
            socket.setTcpNoDelay(true);
            out = new BufferedOutputStream(socket.getOutputStream());
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns the answer: a text, a number, a list, or null. An error of the server is a {@link RefusedException}. */
    @Nullable
    Object ask(List<String> words) throws IOException {
        send(words.stream().map(ServerLine::bytes).toList());
        Object answer = answer();
        if (answer instanceof Refused refused) {
            throw new RefusedException(refused.text());
        }
        return answer;
    }

    public void send(List<byte[]> words) throws IOException {
        out.write(bytes("*" + words.size() + "\r\n"));
        for (byte[] word : words) {
            out.write(bytes("$" + word.length + "\r\n"));
            out.write(word);
            out.write(bytes("\r\n"));
        }
        out.flush();
    }

    /** Returns the next answer, which may be a push that no command caused: a text, a number, a list, null, or an error. */
    public @Nullable Object answer() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> new Refused(rest);
            case ':' -> Long.parseLong(rest);
            case '$' -> text(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("Not an answer: " + line);
        };
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
            line.append((char) next);
        }
        return line.substring(0, line.length() - 1);
    }

    private @Nullable String text(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] text = new byte[length + 2];
        in.readFully(text);
        return new String(text, 0, length, StandardCharsets.ISO_8859_1);
    }

    private @Nullable List<@Nullable Object> list(int size) throws IOException {
        if (size < 0) {
            return null;
        }
        List<@Nullable Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            list.add(answer());
        }
        return list;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }
}
