// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A plain connection to a server: commands as one line, answers as text. Not safe for use by several threads. */
public final class Resp implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Socket socket;
    private final BufferedReader in;

    public Resp(int port) throws IOException {
        this(port, PATIENCE);
    }

    Resp(int port, Duration patience) throws IOException {
        socket = new Socket();
        socket.connect(new InetSocketAddress(FaultProxy.loopback(), port), (int) patience.toMillis());
        socket.setSoTimeout((int) patience.toMillis());
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Runs one command on a connection of its own, and returns the answer: {@code OK}, a number or a text. */
    public static String run(int port, String... command) throws IOException {
        try (Resp connection = new Resp(port)) {
            return connection.ask(command);
        }
    }

    public String ask(String... command) throws IOException {
        send(command);
        return answer();
    }

    public void send(String... command) throws IOException {
        StringBuilder text = new StringBuilder("*%d\r\n".formatted(command.length));
        for (String part : command) {
            text.append("$%d\r\n%s\r\n".formatted(part.getBytes(StandardCharsets.UTF_8).length, part));
        }
        OutputStream out = socket.getOutputStream();
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    public String answer() throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new IOException("The server has closed the connection");
        }
        return switch (line.charAt(0)) {
            case '-' -> throw new IOException("The server answers " + line);
            case '$' -> text(Integer.parseInt(line.substring(1)));
            case '*' -> {
                StringBuilder all = new StringBuilder();
                for (int left = Integer.parseInt(line.substring(1)); left > 0; left--) {
                    all.append(answer()).append('\n');
                }
                yield all.toString();
            }
            default -> line.substring(1);
        };
    }

    private String text(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        char[] characters = new char[length + 2];
        for (int read = 0; read < characters.length; ) {
            read += in.read(characters, read, characters.length - read);
        }
        return new String(characters, 0, length);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
