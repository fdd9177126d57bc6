// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Connects to one partition. */
public interface PartitionConnector extends AutoCloseable {
    /** Most connects take milliseconds; the time for one may be much longer, for servers that are far away. */
    Duration LONGEST_PATIENCE = Duration.ofMillis(300);

    /** Returns where the partition is, without credentials. */
    String address();

    /**
     * Connects and shakes hands, within the connect timeout. Does not throw; the future completes exceptionally only with
     * a {@link ConnectFailure}. A connection that replaces a lost one of this connector makes sure first that nothing
     * which was sent on that one can still be executed.
     */
    CompletableFuture<PartitionConnection> connect();

    /**
     * Finds out whether the partition would accept us, within the connect timeout, and changes nothing there. Does not throw;
     * the future completes exceptionally only with a {@link ConnectFailure}.
     */
    CompletableFuture<Void> look();

    /**
     * Reads what the partition remembers of the register about the map, over a connection of its own: so whoever has an outdated
     * map, and is let in nowhere, gets the newer one. Within the connect timeout; changes nothing there. Does not throw; the
     * future completes exceptionally only with a {@link ConnectFailure}.
     *
     * @param namespace whose map it is
     */
    default CompletableFuture<AcceptorAnswer> recall(String namespace) {
        return CompletableFuture.completedFuture(
                new AcceptorAnswer.Silent(address() + " answers nothing beside a connection"));
    }

    /**
     * Takes a step with a sign, and looks for it, over a connection of its own, whoever uses the partition. Within the connect
     * timeout; changes nothing else there. Does not throw; the future completes exceptionally only with a {@link ConnectFailure}.
     */
    default CompletableFuture<Sign.Sighting> look(Sign sign) {
        return CompletableFuture.failedFuture(ConnectFailure.at(
                address(), ConnectFailure.Kind.UNREACHABLE, "it answers nothing beside a connection", null));
    }

    /**
     * Says which slot map is the newest. Connections for which {@link #connect} is called from now on refuse what was routed
     * by an older one; those that are there already are told by {@link PartitionConnection#announce}.
     */
    void announce(SlotMap newest);

    /** Returns how long calls that were not sent wait for an attempt after a loss, within their deadlines. */
    default Duration patience() {
        return LONGEST_PATIENCE;
    }

    /** Gives up everything that belongs to this connector; connections that are still open are closed. */
    @Override
    void close();
}
