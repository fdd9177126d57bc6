// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Reply;
import org.jspecify.annotations.Nullable;

/**
 * What the attempts at one command have come to.
 *
 * @param made how many there were
 * @param unknowns how many of them had an unknown outcome
 * @param unknown the last of those, null if there is none
 */
record Attempts<R>(int made, int unknowns, Reply.@Nullable Unknown<R> unknown) {
    /** A command with an unknown outcome is sent this often again, if once or twice is the same. */
    static final int MOST_REPEATS = 2;

    private static final Attempts<?> NONE = new Attempts<>(0, 0, null);

    @SuppressWarnings("unchecked") // without an unknown reply nothing depends on the type
    static <R> Attempts<R> none() {
        return (Attempts<R>) NONE;
    }

    Attempts<R> plus(Reply<R> reply) {
        return reply instanceof Reply.Unknown<R> lost
                ? new Attempts<>(made + 1, unknowns + 1, lost)
                : new Attempts<>(made + 1, unknowns, unknown);
    }

    /** Returns whether the same may be accepted a moment later. */
    static boolean isRefusedForNow(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.refusal().isWorthAnotherAttempt();
    }

    /** Returns whether the last attempt, which ended like this, may be followed by another. */
    boolean mayGoOn(Call<R> call, Reply<R> last) {
        if (last instanceof Reply.Refused<R> refused) {
            // What was split by an outdated slot map is to be split again, which BulkCall does.
            return isRefusedForNow(last)
                    && (!refused.refusal().isOfRoute() || call.target().isRoutable());
        }
        return last instanceof Reply.Unknown && call.command().isRepeatable() && unknowns <= MOST_REPEATS;
    }

    /** Returns the truth about the command: a refused attempt does not undo an earlier one that may have been executed. */
    Reply<R> verdict(Reply<R> last) {
        return last instanceof Reply.Refused && unknown != null ? unknown : last;
    }
}
