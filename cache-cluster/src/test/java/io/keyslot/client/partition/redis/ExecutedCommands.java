// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cluster.local.LocalServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** What a server executes, as its {@code MONITOR} tells it. Not safe for use by several threads. */
final class ExecutedCommands implements AutoCloseable {
    private static final AtomicLong MARKS = new AtomicLong();

    private final ServerDialogue monitor;
    private final ServerDialogue marking;

    /** @param isWithinScript whether a script called it, and not a client */
    record Executed(boolean isWithinScript, List<byte[]> words) {
        /** Returns the command, in capitals. */
        String name() {
            return new String(words.get(0), StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
        }
    }

    private ExecutedCommands(ServerDialogue monitor, ServerDialogue marking) {
        this.monitor = monitor;
        this.marking = marking;
    }

    static ExecutedCommands of(LocalServer server) throws IOException {
        ServerDialogue monitor = ServerDialogue.with(server);
        monitor.ask("MONITOR");
        return new ExecutedCommands(monitor, ServerDialogue.with(server));
    }

    /** Returns what was executed since the last time. */
    List<Executed> next() throws IOException {
        String mark = "mark-" + MARKS.incrementAndGet();
        marking.ask("ECHO", mark);
        List<Executed> executed = new ArrayList<>();
        while (true) {
            Executed command = read(String.valueOf(monitor.answer()));
            if (command.name().equals("ECHO")
                    && new String(command.words().get(1), StandardCharsets.US_ASCII).equals(mark)) {
                return executed;
            }
            executed.add(command);
        }
    }

    /** Reads {@code 1700000000.000001 [0 127.0.0.1:50000] "get" "a\x01\"b"}. */
    private static Executed read(String line) {
        int end = line.indexOf(']');
        List<byte[]> words = new ArrayList<>();
        int at = line.indexOf('"', end);
        while (at >= 0) {
            ByteArrayOutputStream word = new ByteArrayOutputStream();
            at++;
            while (line.charAt(at) != '"') {
                if (line.charAt(at) != '\\') {
                    word.write(line.charAt(at));
                    at++;
                } else if (line.charAt(at + 1) == 'x') {
                    word.write(HexFormat.fromHexDigits(line, at + 2, at + 4));
                    at += 4;
                } else {
                    word.write(unescaped(line.charAt(at + 1)));
                    at += 2;
                }
            }
            words.add(word.toByteArray());
            at = line.indexOf('"', at + 1);
        }
        return new Executed(line.substring(0, end).endsWith(" lua"), words);
    }

    private static char unescaped(char letter) {
        return switch (letter) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'a' -> 7;
            case 'b' -> '\b';
            default -> letter;
        };
    }

    @Override
    public void close() throws IOException {
        monitor.close();
        marking.close();
    }
}
