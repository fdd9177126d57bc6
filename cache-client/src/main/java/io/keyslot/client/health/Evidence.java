// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.util.List;

/** What a reply says about the partition, whatever it says about the command. */
enum Evidence {
    /** It answered. */
    ANSWER,
    /** It did not answer in time. */
    SILENCE,
    /** It was not asked. */
    NONE;

    static Evidence of(Reply<?> reply) {
        if (reply instanceof Reply.Done<?> done) {
            return ofValue(done.value());
        }
        return reply instanceof Reply.Refused<?> refused ? ofRefusal(refused.refusal()) : SILENCE;
    }

    /** The replies of a bulk command are inside: it counts as an answer if one of them is. */
    private static Evidence ofValue(Object value) {
        if (!(value instanceof List<?> parts) || parts.isEmpty() || !(parts.get(0) instanceof Reply<?>)) {
            return ANSWER;
        }
        Evidence strongest = NONE;
        for (Object part : parts) {
            Evidence evidence = of((Reply<?>) part);
            if (evidence.compareTo(strongest) < 0) {
                strongest = evidence;
            }
        }
        return strongest;
    }

    private static Evidence ofRefusal(Refusal refusal) {
        return switch (refusal) {
            case FROZEN, MOVED, NOT_NOW, NOT_WRITABLE, FORBIDDEN -> ANSWER;
            case UNAVAILABLE, RECONNECTING, STALE_ROUTE, OVERLOADED, TOO_LARGE, INTERRUPTED -> NONE;
        };
    }
}
