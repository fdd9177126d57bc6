// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.util.ArrayList;
import java.util.List;

/** What a reply tells about its partition. */
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
            case UNAVAILABLE, RECONNECTING, STALE_ROUTE, OVERLOADED, INTERRUPTED -> NONE;
        };
    }

    /** Returns whether a lost connection, which answers {@code UNAVAILABLE}, did not send the command or a part of it. */
    static boolean isUnsent(Command<?> command, Reply<?> reply) {
        if (reply instanceof Reply.Done<?> done) {
            return command instanceof Command.PutAll
                    && ((List<?>) done.value()).stream().anyMatch(Evidence::isUnsentPart);
        }
        return isUnsentPart(reply);
    }

    private static boolean isUnsentPart(Object reply) {
        return reply instanceof Reply<?> known && known.isRefused(Refusal.UNAVAILABLE);
    }

    /** Returns the reply with refusals that cause the unsent parts to be sent again. */
    @SuppressWarnings("unchecked") // the command determines the type of the answer
    static <R> Reply<R> toBeSent(Command<R> command, Reply<R> reply) {
        if (reply instanceof Reply.Done<R> done && command instanceof Command.PutAll) {
            List<Reply<Boolean>> parts = new ArrayList<>();
            ((List<Reply<Boolean>>) done.value()).forEach(part -> parts.add(isUnsentPart(part) ? again(part) : part));
            return (Reply<R>) Reply.done(parts);
        }
        return again(reply);
    }

    private static <R> Reply<R> again(Reply<R> reply) {
        return reply instanceof Reply.Refused<R> refused
                ? Reply.refused(Refusal.RECONNECTING, refused.detail())
                : reply;
    }
}
