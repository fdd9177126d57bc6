// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

/** A command that has something to settle at the gate. */
public interface Gated {
    /** Returns whether it may be written; if not, it has answered its caller. Called in the connection's event loop. */
    boolean passes(Gate gate);
}
