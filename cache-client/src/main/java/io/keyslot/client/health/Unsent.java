// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.util.ArrayList;
import java.util.List;

/** Finds commands that a lost connection did not send, which it reports as {@code UNAVAILABLE}. */
final class Unsent {
    private Unsent() {}

    static boolean isIn(Command<?> command, Reply<?> reply) {
        if (reply instanceof Reply.Done<?> done) {
            return command instanceof Command.PutAll
                    && ((List<?>) done.value()).stream().anyMatch(Unsent::isUnsent);
        }
        return isUnsent(reply);
    }

    private static boolean isUnsent(Object reply) {
        return reply instanceof Reply.Refused<?> refused && refused.refusal() == Refusal.UNAVAILABLE;
    }

    /** Returns the reply with refusals that cause the unsent parts to be sent again. */
    @SuppressWarnings("unchecked") // the command determines the type of the answer
    static <R> Reply<R> toBeSent(Command<R> command, Reply<R> reply) {
        if (reply instanceof Reply.Done<R> done && command instanceof Command.PutAll) {
            List<Reply<Boolean>> parts = new ArrayList<>();
            ((List<Reply<Boolean>>) done.value()).forEach(part -> parts.add(isUnsent(part) ? again(part) : part));
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
