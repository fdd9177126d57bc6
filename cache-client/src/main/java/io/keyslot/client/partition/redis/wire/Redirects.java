// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.Optional;

/** Handles the redirected commands of a connection to a cluster node. Thread-safe; neither blocks nor throws. */
public interface Redirects {
    /** Called in the event loop for each redirected command. */
    void redirected(Redirection to);

    /** Returns the writer of the connection to the target; empty if there is none. */
    Optional<CommandWriter> at(Redirection to);
}
