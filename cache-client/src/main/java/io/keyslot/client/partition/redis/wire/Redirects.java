// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.Optional;

/** What a connection to a node of a cluster knows of the other nodes. Safe for use by several threads; neither blocks nor throws. */
public interface Redirects {
    /** Hears that a node has sent a command elsewhere. Called as often as that happens, in the event loop. */
    void redirected(Redirection to);

    /** Returns the writer of the connection to a node; empty if there is none. */
    Optional<CommandWriter> at(Redirection to);
}
