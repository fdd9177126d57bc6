// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A command in flight to a partition, or its answer. Modified only within {@link Network#change}. */
final class Sent<R> {
    private final Command<R> command;
    private final Route route;
    private final long arrivesAt;
    private final CompletableFuture<Reply<R>> reply = new CompletableFuture<>();
    private @Nullable Event timeout;
    private boolean answered;

    Sent(Command<R> command, Route route, long arrivesAt) {
        this.command = command;
        this.route = route;
        this.arrivesAt = arrivesAt;
    }

    Command<R> command() {
        return command;
    }

    Route route() {
        return route;
    }

    long arrivesAt() {
        return arrivesAt;
    }

    CompletableFuture<Reply<R>> reply() {
        return reply;
    }

    boolean isAnswered() {
        return answered;
    }

    void answerBy(Event event) {
        timeout = event;
    }

    void answer(Reply<R> answer, Network network) {
        if (answered) {
            return;
        }
        answered = true;
        if (timeout != null) {
            network.time().cancel(timeout);
        }
        network.deliver(() -> reply.complete(answer));
    }

    /** Completes the reply with an unknown outcome, unless it is complete. */
    void lose(String why, Network network) {
        answer(Reply.unknown(why, null), network);
    }
}
