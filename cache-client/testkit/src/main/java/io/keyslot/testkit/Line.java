// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.client.config.Deadlines;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The network path of one client to one partition. */
final class Line implements PartitionConnector {
    private final PartitionFaults partition;
    private final int process;
    private final Network network;
    private final PartitionConnector engine;
    private final Deadlines deadlines;

    // Modified only within Network.change.
    private final Set<LineConnection> connections = new LinkedHashSet<>();
    private final Set<Attempt> attempts = new LinkedHashSet<>();

    Line(PartitionFaults partition, int process, Network network, PartitionConnector engine, Deadlines deadlines) {
        this.partition = partition;
        this.process = process;
        this.network = network;
        this.engine = engine;
        this.deadlines = deadlines;
    }

    @Override
    public String address() {
        return engine.address();
    }

    @Override
    public Duration patience() {
        Duration whole = deadlines.connect();
        return whole.compareTo(LONGEST_PATIENCE) < 0 ? whole : LONGEST_PATIENCE;
    }

    @Override
    public CompletableFuture<PartitionConnection> connect() {
        return network.change(() -> {
            Attempt attempt = new Attempt(network.time().nanos() + delayNanos());
            attempts.add(attempt);
            attempt.timeout = network.changeLater(
                    deadlines.connect().toNanos(), () -> fail(attempt, unreachable(silence("the handshake"))));
            if (delayNanos() > 0) {
                Event unused = network.changeLater(delayNanos(), this::shakeHands);
            }
            shakeHands();
            return attempt.result;
        });
    }

    @Override
    public void announce(SlotMap newest) {
        engine.announce(newest);
    }

    @Override
    public CompletableFuture<Void> look() {
        return CompletableFuture.completedFuture(null);
    }

    /** Does not wait for a line that is cut or a partition that is frozen. */
    @Override
    public CompletableFuture<AcceptorAnswer> recall(String namespace) {
        return network.change(() -> isOpen() && !partition.refusesConnections()
                ? engine.recall(namespace)
                : CompletableFuture.failedFuture(unreachable(silence("a question about the map"))));
    }

    /** Delivers everything that has waited for the partition or for the line. */
    void resume(boolean handshakesFirst) {
        if (handshakesFirst) {
            shakeHands();
        }
        List.copyOf(connections).forEach(LineConnection::receive);
        List.copyOf(connections).forEach(LineConnection::noticeLoss);
        List.copyOf(connections).forEach(LineConnection::deliver);
        shakeHands();
    }

    private void shakeHands() {
        for (Attempt attempt : List.copyOf(attempts)) {
            if (isOpen() && attempt.arrivesAt <= network.time().nanos()) {
                shakeHands(attempt);
            }
        }
    }

    private void shakeHands(Attempt attempt) {
        if (partition.refusesConnections()) {
            fail(attempt, unreachable(address() + ": the server has as many clients as it allows"));
            return;
        }
        CompletableFuture<PartitionConnection> unused = engine.connect().whenComplete((connected, failure) -> {
            if (connected == null) {
                fail(attempt, failure);
            } else {
                succeed(attempt, connected);
            }
        });
    }

    private void succeed(Attempt attempt, PartitionConnection connected) {
        // Like CLIENT KILL: nothing that was sent on a predecessor is executed from now on.
        List.copyOf(connections).stream().filter(LineConnection::isClosed).forEach(LineConnection::discard);
        LineConnection connection = new LineConnection(this, network, connected);
        connections.add(connection);
        connection.watch();
        end(attempt);
        network.deliver(() -> attempt.result.complete(connection));
    }

    private void fail(Attempt attempt, @Nullable Throwable failure) {
        end(attempt);
        Throwable why = failure == null ? unreachable(address() + ": no connection") : failure;
        network.deliver(() -> attempt.result.completeExceptionally(why));
    }

    private void end(Attempt attempt) {
        attempts.remove(attempt);
        if (attempt.timeout != null) {
            network.time().cancel(attempt.timeout);
        }
    }

    private static ConnectFailure unreachable(String message) {
        return new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, message, null);
    }

    /** Breaks all connections, like a firewall that loses its state. */
    void reset() {
        if (!isCut()) {
            List.copyOf(connections)
                    .forEach(connection -> connection.lose("the connection to " + address() + " was reset"));
        }
    }

    boolean isOpen() {
        return !isCut() && !partition.isFrozen();
    }

    boolean isCut() {
        return partition.isCutFrom(process);
    }

    void reportSent(Command<?> command) {
        partition.reportSent(command);
    }

    boolean isBusy() {
        return partition.isBusy();
    }

    long delayNanos() {
        return partition.delayNanos(process);
    }

    @Nullable
    WriteRefusal refusalOf(Command<?> command) {
        return partition.refusalOf(command);
    }

    boolean losesReply() {
        return isCut() || partition.losesReply();
    }

    boolean voidsAll() {
        return partition.voidsAll();
    }

    long commandTimeoutNanos() {
        return deadlines.command().toNanos();
    }

    String silence(String what) {
        return "%s did not answer %s in time".formatted(address(), what);
    }

    void forget(LineConnection connection) {
        connections.remove(connection);
    }

    @Override
    public void close() {
        network.change(() -> {
            List.copyOf(attempts).forEach(attempt -> fail(attempt, unreachable(address() + ": closed")));
            List.copyOf(connections).forEach(connection -> connection.lose("closed"));
            engine.close();
        });
        partition.forget(this);
    }

    private static final class Attempt {
        private final CompletableFuture<PartitionConnection> result = new CompletableFuture<>();
        private final long arrivesAt;
        private @Nullable Event timeout;

        Attempt(long arrivesAt) {
            this.arrivesAt = arrivesAt;
        }
    }
}
