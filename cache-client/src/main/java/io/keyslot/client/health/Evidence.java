// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.util.List;

enum Evidence {
    ANSWER,
    SILENCE,
    NONE;

    static Evidence of(Reply<?> reply) {
        if (reply instanceof Reply.Done<?> done) {
            return ofValue(done.value());
        }
        return reply instanceof Reply.Refused<?> refused ? ofRefusal(refused.refusal()) : SILENCE;
    }

    /** A bulk reply contains the replies; one answer among them counts as an answer. */
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
