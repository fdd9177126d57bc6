// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Connects to one partition. */
public interface PartitionConnector extends AutoCloseable {
    /**
     * The default maximum wait of calls for a reconnect. Most connects take milliseconds; the connect timeout may be
     * much longer, for distant servers.
     */
    Duration LONGEST_PATIENCE = Duration.ofMillis(300);

    String address();

    /**
     * Connects and performs the handshake within the connect timeout. Does not throw; the future fails only with a
     * {@link ConnectFailure}. If the connection replaces a lost one of this connector, it first ensures that no command
     * sent on the lost one can still be executed.
     */
    CompletableFuture<PartitionConnection> connect();

    /**
     * Checks within the connect timeout whether the partition would accept this client, without changing anything. Does
     * not throw; the future fails only with a {@link ConnectFailure}.
     */
    CompletableFuture<Void> look();

    /**
     * Reads the partition's register state about the map of a namespace over a separate connection. Thus a client with
     * an outdated map, which no partition accepts, gets the newer map. It takes at most the connect timeout and changes
     * nothing. Does not throw; the future fails only with a {@link ConnectFailure}.
     */
    default CompletableFuture<AcceptorAnswer> recall(String namespace) {
        return CompletableFuture.completedFuture(
                new AcceptorAnswer.Silent(address() + " answers nothing beside a connection"));
    }

    /**
     * Executes the step of a sign and checks for the sign over a separate connection, independent of the partition's
     * users. It takes at most the connect timeout and changes nothing else. Does not throw; the future fails only with
     * a {@link ConnectFailure}.
     */
    default CompletableFuture<Sign.Sighting> look(Sign sign) {
        return CompletableFuture.failedFuture(ConnectFailure.at(
                address(), ConnectFailure.Kind.UNREACHABLE, "it answers nothing beside a connection", null));
    }

    /**
     * Sets the newest slot map. Later calls of {@link #connect} create connections that refuse commands routed by an
     * older map; existing connections need {@link PartitionConnection#announce}.
     */
    void announce(SlotMap newest);

    /** Returns how long unsent calls wait for a reconnect after a loss, within their deadlines. */
    default Duration patience() {
        return LONGEST_PATIENCE;
    }

    /** Closes this connector and its open connections. */
    @Override
    void close();
}
