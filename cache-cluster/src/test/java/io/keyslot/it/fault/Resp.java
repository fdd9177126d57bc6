// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cluster.local.ServerLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A plain connection to a server: commands as one line, answers as text. Not safe for use by several threads. */
public final class Resp implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ServerLine line;

    public Resp(int port) throws IOException {
        this(port, PATIENCE);
    }

    Resp(int port, Duration patience) throws IOException {
        line = new ServerLine(port, patience);
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
        line.send(Stream.of(command)
                .map(part -> part.getBytes(StandardCharsets.UTF_8))
                .toList());
    }

    public String answer() throws IOException {
        Object answer = line.answer();
        if (answer instanceof ServerLine.Refused refused) {
            throw new IOException("The server answers -" + refused.text());
        }
        return text(answer);
    }

    private static String text(@Nullable Object answer) {
        if (answer instanceof List<?> list) {
            return list.stream().map(each -> text(each) + '\n').collect(Collectors.joining());
        }
        return answer == null
                ? ""
                : new String(String.valueOf(answer).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        line.close();
    }
}
