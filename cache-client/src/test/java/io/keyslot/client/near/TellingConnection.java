// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A connection that answers and tells what the test says. For tests on one thread. */
final class TellingConnection implements PartitionConnection {
    final List<Command<?>> sent = new ArrayList<>();
    private final PushListeners listeners = new PushListeners();
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final Function<Command<?>, Reply<?>> answers;

    TellingConnection(Function<Command<?>, Reply<?>> answers) {
        this.answers = answers;
    }

    void tell(Push push) {
        listeners.publish(push);
    }

    @Override
    @SuppressWarnings("unchecked") // the test knows the type of the answer
    public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
        sent.add(command);
        return CompletableFuture.completedFuture((Reply<R>) answers.apply(command));
    }

    @Override
    public CompletableFuture<Reply<Boolean>> announce(long mapVersion) {
        return CompletableFuture.completedFuture(Reply.done(true));
    }

    @Override
    public void listen(PushListener listener) {
        listeners.add(listener);
    }

    @Override
    public int epoch() {
        return 1;
    }

    @Override
    public CompletableFuture<String> lost() {
        return lost;
    }

    @Override
    public void close() {
        listeners.end("closed");
        lost.complete("closed");
    }
}
