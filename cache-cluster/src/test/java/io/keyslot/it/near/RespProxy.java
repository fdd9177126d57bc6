// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.near;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A network between a client and a server that knows what it carries. It can keep what the server says, reply by reply and
 * push by push, and deliver it later in the order in which the server said it: a connection has no other.
 *
 * <p>Commands go to the server at once. Safe for use by several threads.
 */
final class RespProxy implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ServerSocket door;
    private final int serverPort;
    private final Object lock = new Object();

    // Guarded by lock.
    private final List<RespLink> links = new ArrayList<>();
    private final List<Said> kept = new ArrayList<>();
    private Predicate<Said> keeps = said -> false;

    RespProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.door = new ServerSocket(0, 64, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        RespLink.start(this::accept, "resp-proxy-door");
    }

    String uri() {
        return "redis://127.0.0.1:" + door.getLocalPort();
    }

    /** Keeps all that the server says from now on. */
    void hold() {
        holdFrom(said -> true);
    }

    /** Keeps from now on what the server says on a link, from the first thing on that is one of these. */
    void holdFrom(Predicate<Said> first) {
        synchronized (lock) {
            keeps = first;
        }
    }

    /** Waits until something is kept that is one of these, and no command that mentions this text waits for its reply. */
    void awaitSaid(Predicate<Said> wanted, String text) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        synchronized (lock) {
            while (kept.stream().noneMatch(wanted) || links.stream().anyMatch(link -> link.isAsked(text))) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    throw new AssertionError("The server has not said it, only " + kept);
                }
                TimeUnit.NANOSECONDS.timedWait(lock, left);
            }
        }
    }

    /** Takes what is kept, to be delivered by the caller. */
    List<Said> take() {
        synchronized (lock) {
            List<Said> taken = List.copyOf(kept);
            kept.clear();
            return taken;
        }
    }

    /** Delivers what was taken: each link gets it in one piece. */
    void deliver(List<Said> taken) throws IOException {
        synchronized (lock) {
            for (RespLink link : List.copyOf(links)) {
                link.deliver(
                        taken.stream().filter(said -> said.link().equals(link)).toList());
            }
        }
    }

    /** Delivers what is still kept, and keeps nothing any more. */
    void release() throws IOException {
        synchronized (lock) {
            keeps = said -> false;
            deliver(take());
        }
    }

    /** The server has said something. */
    void said(Said said) throws IOException {
        synchronized (lock) {
            said.link().answered(said);
            boolean isBehindOthers =
                    kept.stream().anyMatch(other -> other.link().equals(said.link()));
            if (isBehindOthers || keeps.test(said)) {
                kept.add(said);
                lock.notifyAll();
            } else {
                said.link().deliver(List.of(said));
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                RespLink link = new RespLink(this, door.accept(), new Socket(door.getInetAddress(), serverPort));
                synchronized (lock) {
                    links.add(link);
                }
                link.begin();
            }
        } catch (IOException e) {
            // The door was closed: the test is over.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        synchronized (lock) {
            for (RespLink link : links) {
                link.close();
            }
        }
    }

    /**
     * Something that the server has said.
     *
     * @param command what it answers, or what was said before if it is a push
     */
    record Said(RespLink link, RespFrame frame, RespFrame command) {
        boolean isPushOf(String key) {
            return frame.isPush() && frame.mentions(key);
        }

        boolean isReplyAbout(String key) {
            return !frame.isPush() && command.mentions(key);
        }

        @Override
        public String toString() {
            return frame.isPush() ? frame.toString() : "reply to " + command;
        }
    }
}
