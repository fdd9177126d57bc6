// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.credentials;

import io.keyslot.slot.HashSlot;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server as the clustering policy Enterprise of Redis Software and Azure shows it: it refuses commands with keys of several
 * slots, except some. A refused command is replaced by one that fails, so that the order of the replies stays.
 */
final class OneSlotProxy implements AutoCloseable {
    private static final Set<String> ALLOWED = Set.of("DEL", "MSET", "MGET", "EXISTS", "UNLINK", "TOUCH");
    private static final String REFUSED =
            "return redis.error_reply('CROSSSLOT Keys in request do not hash to the same slot')";

    private final ServerSocket door = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new ArrayList<>(); // guarded by itself
    private final AtomicInteger refused = new AtomicInteger();
    private final int server;

    OneSlotProxy(int server) throws IOException {
        this.server = server;
        start(this::accept);
    }

    String uri() {
        return "redis://127.0.0.1:" + door.getLocalPort();
    }

    int refused() {
        return refused.get();
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        return; // one side has closed the connection
                    }
                },
                "one-slot-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!door.isClosed()) {
            Socket client = door.accept();
            Socket to = new Socket(InetAddress.getLoopbackAddress(), server);
            synchronized (sockets) {
                sockets.add(client);
                sockets.add(to);
            }
            start(() -> copy(to, client));
            start(() -> filter(client, to));
        }
    }

    private static void copy(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        }
    }

    private void filter(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream()));
            while (true) {
                List<byte[]> words = new ArrayList<>();
                for (int left = number(in); left > 0; left--) {
                    words.add(in.readNBytes(number(in)));
                    in.skipNBytes(2);
                }
                if (isOverSlots(words)) {
                    refused.incrementAndGet();
                    words = List.of(bytes("EVAL"), bytes(REFUSED), bytes("0"));
                }
                write(to.getOutputStream(), words);
            }
        }
    }

    /** Reads the line of a length: {@code *3} or {@code $5}. */
    private static int number(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.readByte(); next != '\n'; next = in.readByte()) {
            line.append((char) next);
        }
        return Integer.parseInt(line.substring(1).trim());
    }

    private static void write(OutputStream out, List<byte[]> words) throws IOException {
        ByteArrayOutputStream command = new ByteArrayOutputStream();
        command.writeBytes(bytes("*" + words.size() + "\r\n"));
        for (byte[] word : words) {
            command.writeBytes(bytes("$" + word.length + "\r\n"));
            command.writeBytes(word);
            command.writeBytes(bytes("\r\n"));
        }
        out.write(command.toByteArray());
    }

    private static boolean isOverSlots(List<byte[]> words) {
        String name = text(words.get(0)).toUpperCase(Locale.ROOT);
        int first = switch (name) {
            case "EVAL", "EVALSHA" -> 3;
            case "MSETEX" -> 2;
            default -> 1;
        };
        int count = switch (name) {
            case "EVAL", "EVALSHA" -> Integer.parseInt(text(words.get(2)));
            case "MSETEX" -> Integer.parseInt(text(words.get(1)));
            default -> 0;
        };
        int step = name.equals("MSETEX") ? 2 : 1;
        return !ALLOWED.contains(name)
                && words.stream()
                                .skip(first)
                                .limit((long) count * step)
                                .filter(key -> step == 1 || words.indexOf(key) % 2 == 0)
                                .map(HashSlot::of)
                                .distinct()
                                .count()
                        > 1;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] word) {
        return new String(word, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        door.close();
        synchronized (sockets) {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
