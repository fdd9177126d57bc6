// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves slots key by key, in the order of {@code redis-cli --cluster reshard}: while both nodes have keys of a slot,
 * they answer ASK and TRYAGAIN. Not safe for use by several threads.
 */
final class SlotMigration implements AutoCloseable {
    private static final String KEYS_AT_ONCE = "100";
    private static final String MIGRATE_TIMEOUT_MILLIS = "5000";

    private final ClusterNode to;
    private final String fromId;
    private final String toId;
    private final ServerLine source;
    private final ServerLine target;
    private final List<ServerLine> others = new ArrayList<>();

    /** Connects to the nodes. {@code others} are the primaries that only receive the new owner. */
    SlotMigration(ClusterNode from, ClusterNode to, Collection<ClusterNode> others) {
        this.to = to;
        this.fromId = from.id();
        this.toId = to.id();
        try {
            source = new ServerLine(from.port());
            target = new ServerLine(to.port());
            for (ClusterNode other : others) {
                this.others.add(new ServerLine(other.port()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot connect to the nodes between which slots shall move", e);
        }
    }

    void move(int slot) {
        try {
            String number = Integer.toString(slot);
            ask(target, "CLUSTER", "SETSLOT", number, "IMPORTING", fromId);
            ask(source, "CLUSTER", "SETSLOT", number, "MIGRATING", toId);
            moveKeys(number);
            // The new owner first: otherwise the slot has no owner if this ends between the two.
            ask(target, "CLUSTER", "SETSLOT", number, "NODE", toId);
            ask(source, "CLUSTER", "SETSLOT", number, "NODE", toId);
            for (ServerLine other : others) {
                ask(other, "CLUSTER", "SETSLOT", number, "NODE", toId);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot move slot %d to %s: %s".formatted(slot, to, e.getMessage()), e);
        }
    }

    private void moveKeys(String slot) throws IOException {
        while (ask(source, "CLUSTER", "GETKEYSINSLOT", slot, KEYS_AT_ONCE) instanceof List<?> keys && !keys.isEmpty()) {
            List<String> words = new ArrayList<>(List.of(
                    "MIGRATE", "127.0.0.1", Integer.toString(to.port()), "", "0", MIGRATE_TIMEOUT_MILLIS, "KEYS"));
            keys.forEach(key -> words.add((String) key));
            source.ask(words);
        }
    }

    private static @Nullable Object ask(ServerLine line, String... words) throws IOException {
        return line.ask(List.of(words));
    }

    @Override
    public void close() {
        try (source;
                target) {
            for (ServerLine other : others) {
                other.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot close a connection to a node", e);
        }
    }
}
