// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

/** What a {@link FaultProxy} does with connections and bytes. */
public enum NetworkFault {
    /** Forwards everything. */
    NONE,
    /** Delivers the server's answers 200 ms later, in order. */
    DELAY,
    /** Accepts and keeps all bytes of both directions, and delivers them when the fault is over. */
    FREEZE,
    /** Accepts and loses all bytes of both directions. A link that lost bytes is reset when the fault is over. */
    BLACK_HOLE,
    /** Delivers commands and loses answers; afterwards as with {@link #BLACK_HOLE}. */
    HALF_OPEN,
    /** Answers every connection with RST, those that exist included. */
    RESET,
    /** Closes all connections, and nobody listens. */
    REFUSE
}
