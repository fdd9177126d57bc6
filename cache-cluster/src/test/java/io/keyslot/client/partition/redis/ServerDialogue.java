// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cluster.local.LocalServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words to a server and what it answers, with nothing in between: errors are answers. Not safe for use by several threads. */
final class ServerDialogue implements AutoCloseable {
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(20);

    private final Socket socket;
    private final DataInputStream answers;

    /** An answer that says why there is none. */
    record Refused(String text) {}

    private ServerDialogue(Socket socket) throws IOException {
        this.socket = socket;
        this.answers = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    static ServerDialogue with(LocalServer server) throws IOException {
        return with(server.port());
    }

    static ServerDialogue with(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) LONGEST_ANSWER.toMillis());
        return new ServerDialogue(socket);
    }

    /** Returns the answer to words of text. */
    @Nullable
    Object ask(String... words) throws IOException {
        return ask(List.of(words).stream().map(RedisFixture::bytes).toList());
    }

    /** Returns text, a number, a list, null, or that it was refused; bytes are a text with a character for each. */
    @Nullable
    Object ask(List<byte[]> words) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(RedisFixture.bytes("*" + words.size() + "\r\n"));
        for (byte[] word : words) {
            all.writeBytes(RedisFixture.bytes("$" + word.length + "\r\n"));
            all.writeBytes(word);
            all.writeBytes(RedisFixture.bytes("\r\n"));
        }
        all.writeTo(socket.getOutputStream());
        return answer();
    }

    /** Returns the next answer, which may be one that nobody asked for. */
    @Nullable
    Object answer() throws IOException {
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
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = answers.readByte();
        while (next != '\r') {
            line.write(next);
            next = answers.readByte();
        }
        answers.readByte();
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private @Nullable String text(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] text = answers.readNBytes(length);
        answers.readNBytes(2);
        return new String(text, StandardCharsets.ISO_8859_1);
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

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
