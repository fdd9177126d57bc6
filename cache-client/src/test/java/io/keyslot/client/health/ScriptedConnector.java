// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.slot.SlotMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An engine that connects as the test says: at once, or when the test calls {@link #accept} or {@link #fail}. For tests
 * on one thread.
 */
public final class ScriptedConnector implements PartitionConnector {
    private final String address;
    private final Deque<CompletableFuture<PartitionConnection>> underWay = new ArrayDeque<>();
    private @Nullable Supplier<ScriptedConnection> atOnce;
    private final Deque<Long> versionsAtConnect = new ArrayDeque<>();
    private long announced;
    private final List<ScriptedConnection> connections = new ArrayList<>();
    private int connects;
    private int checks;
    private CompletableFuture<Void> looked = CompletableFuture.completedFuture(null);
    private int closes;

    public ScriptedConnector(String address) {
        this.address = address;
    }

    /** Connects at once from now on. */
    public ScriptedConnector accepting(Supplier<ScriptedConnection> connections) {
        atOnce = connections;
        return this;
    }

    /** Completes the connect that is under way. */
    public ScriptedConnection accept(ScriptedConnection connection) {
        CompletableFuture<?> unused = connection.announce(versionsAtConnect.remove());
        connections.add(connection);
        underWay.remove().complete(connection);
        return connection;
    }

    /** Lets the connect that is under way fail. */
    public void fail(ConnectFailure.Kind kind, String why) {
        fail(new ConnectFailure(kind, why, null));
    }

    public void fail(Throwable failure) {
        versionsAtConnect.remove();
        underWay.remove().completeExceptionally(failure);
    }

    /** Returns how many connects were begun. */
    public int checks() {
        return checks;
    }

    /** Lets looks have this outcome from now on. */
    public void answerLooks(CompletableFuture<Void> outcome) {
        looked = outcome;
    }

    public int connects() {
        return connects;
    }

    /** Returns the connections that were accepted when the test said so. */
    public List<ScriptedConnection> connections() {
        return connections;
    }

    /** Returns how many connects are under way. */
    public int underWay() {
        return underWay.size();
    }

    public int closes() {
        return closes;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public CompletableFuture<PartitionConnection> connect() {
        connects++;
        if (atOnce != null) {
            ScriptedConnection connection = atOnce.get();
            CompletableFuture<?> unused = connection.announce(announced);
            return CompletableFuture.completedFuture(connection);
        }
        CompletableFuture<PartitionConnection> connect = new CompletableFuture<>();
        underWay.add(connect);
        versionsAtConnect.add(announced);
        return connect;
    }

    @Override
    public void announce(SlotMap newest) {
        announced = Math.max(announced, newest.version());
    }

    @Override
    public CompletableFuture<Void> look() {
        checks++;
        return looked;
    }

    @Override
    public void close() {
        closes++;
    }
}
