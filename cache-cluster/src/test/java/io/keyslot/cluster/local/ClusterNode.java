// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of a {@link LocalCluster}, a primary or a replica at the moment. Safe for use by several threads. */
public record ClusterNode(LocalServer server) {
    public int port() {
        return server.port();
    }

    /** Returns its address: {@code redis://127.0.0.1:6379}. */
    public String uri() {
        return server.uri();
    }

    /** Returns its id in the cluster. The id changes after the node was {@linkplain LocalCluster#remove removed}. */
    public String id() {
        return text("CLUSTER", "MYID");
    }

    /** Returns whether it reports itself as a primary; false if it does not answer. */
    public boolean isPrimary() {
        return server.isRunning() && view().self().isPrimary();
    }

    public int slotCount() {
        return view().self().slotCount();
    }

    /** Returns the slots that it owns in its own view, in ascending order. */
    public List<Integer> slots() {
        return view().self().eachSlot().boxed().toList();
    }

    /**
     * Sends a command and returns the answer: a text with a character for each byte, a number, a list, or null. Throws
     * {@link UncheckedIOException} if the server does not answer, or with an error, which is the cause's message.
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

    /** Returns whether the cluster can serve every slot, and whether this node, if it is a replica, is in sync. */
    boolean isReady() {
        return text("CLUSTER", "INFO").contains("cluster_state:ok")
                && !text("INFO", "replication").contains("master_link_status:down");
    }

    @Override
    public String toString() {
        return uri();
    }
}
