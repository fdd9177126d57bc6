// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One connection through a {@link RespProxy}. */
final class RespLink {
    /** What they do is said by pushes, and they have no reply. */
    private static final Set<String> WITHOUT_REPLY = Set.of("SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE");

    private final RespProxy proxy;
    private final Socket client;
    private final Socket server;
    private final Queue<RespFrame> asked = new ConcurrentLinkedQueue<>();

    RespLink(RespProxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void begin() {
        start(() -> untilTheEnd(this::carryCommands), "resp-proxy-up");
        start(() -> untilTheEnd(this::carryAnswers), "resp-proxy-down");
    }

    /** Commands that come together leave together, after all of them are known to be asked. */
    private void carryCommands() throws IOException {
        InputStream in = new BufferedInputStream(client.getInputStream(), 1 << 16);
        OutputStream out = new BufferedOutputStream(server.getOutputStream(), 1 << 16);
        for (RespFrame command = RespFrame.read(in); command != null; command = RespFrame.read(in)) {
            if (!WITHOUT_REPLY.contains(command.name())) {
                asked.add(command);
            }
            out.write(command.bytes());
            if (in.available() == 0) {
                out.flush();
            }
        }
    }

    private void carryAnswers() throws IOException {
        InputStream in = new BufferedInputStream(server.getInputStream(), 1 << 16);
        for (RespFrame frame = RespFrame.read(in); frame != null; frame = RespFrame.read(in)) {
            RespFrame command = frame.isPush() ? frame : asked.peek();
            if (command == null) {
                throw new IOException("a reply that nobody has asked for: " + frame);
            }
            proxy.said(new RespProxy.Said(this, frame, command));
        }
    }

    /** Is called when what the server said is known: a command that it answers waits no longer. */
    void answered(RespProxy.Said said) {
        if (!said.frame().isPush()) {
            asked.remove();
        }
    }

    /** Returns whether a command that mentions this text waits for its reply. */
    boolean isAsked(String text) {
        return asked.stream().anyMatch(command -> command.mentions(text));
    }

    void deliver(List<RespProxy.Said> all) throws IOException {
        if (all.isEmpty() || client.isClosed()) {
            return;
        }
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        all.forEach(said -> together.writeBytes(said.frame().bytes()));
        client.getOutputStream().write(together.toByteArray());
    }

    private void untilTheEnd(Carrying carrying) {
        try {
            carrying.run();
        } catch (IOException e) {
            // One side has closed the link, which the other side is told below.
        }
        try {
            close();
        } catch (IOException e) {
            // Closed already.
        }
    }

    void close() throws IOException {
        client.close();
        server.close();
    }

    static void start(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @FunctionalInterface
    private interface Carrying {
        void run() throws IOException;
    }
}
