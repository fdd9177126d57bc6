// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node of a {@link LocalCluster}: a server process in cluster mode, primary or replica as it may be at the moment.
 *
 * <p>Safe for use by several threads.
 */
public final class ClusterNode {
    private final LocalServer server;

    ClusterNode(LocalServer server) {
        this.server = server;
    }

    /** Returns its process, to be killed, suspended and started again. */
    public LocalServer server() {
        return server;
    }

    /** Returns the port on which it serves clients. */
    public int port() {
        return server.port();
    }

    /** Returns its address: {@code redis://127.0.0.1:6379}. */
    public String uri() {
        return server.uri();
    }

    /** Returns the id by which the cluster knows it. It is another one after the node was {@linkplain LocalCluster#remove removed}. */
    public String id() {
        return text("CLUSTER", "MYID");
    }

    /** Returns whether it takes itself for a primary; false as well if it does not answer. */
    public boolean isPrimary() {
        return server.isRunning() && view().self().isPrimary();
    }

    /** Returns how many slots it owns, as it sees it. */
    public int slotCount() {
        return view().self().slotCount();
    }

    /** Returns the slots that it owns, as it sees it, in ascending order. */
    public List<Integer> slots() {
        return view().self().eachSlot().boxed().toList();
    }

    /**
     * Sends one command by a connection of its own, and returns the answer: a text, a number, a list, or null. A text has a
     * character for each byte.
     *
     * @throws UncheckedIOException if the server answers an error, which is the message of the cause, or does not answer
     */
    public @Nullable Object ask(String... words) {
        try (ServerLine line = new ServerLine(port())) {
            return line.ask(List.of(words));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The node %s does not do %s: %s".formatted(uri(), String.join(" ", words), e.getMessage()), e);
        }
    }

    String text(String... words) {
        if (ask(words) instanceof String answer) {
            return answer;
        }
        throw new IllegalStateException("The node %s answers no text to %s".formatted(uri(), String.join(" ", words)));
    }

    KnownNodes view() {
        return KnownNodes.of(text("CLUSTER", "NODES"));
    }

    /** Returns whether the cluster can serve every slot, and this node, if it is a replica, has what its primary has. */
    boolean isReady() {
        return text("CLUSTER", "INFO").contains("cluster_state:ok")
                && !text("INFO", "replication").contains("master_link_status:down");
    }

    @Override
    public String toString() {
        return uri();
    }
}
