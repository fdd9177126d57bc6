// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.health;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection that answers as the test says: at once, by {@link #answering}, or when the test calls {@link #answer}.
 * For tests on one thread.
 */
public final class ScriptedConnection implements PartitionConnection {
    /** A command that has not been answered yet. */
    public record Held(Command<?> command, Route route, CompletableFuture<Reply<Object>> reply) {}

    private final int epoch;
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final List<Command<?>> sent = new ArrayList<>();
    private final List<Route> routes = new ArrayList<>();
    private final Deque<Held> held = new ArrayDeque<>();
    private @Nullable Function<Command<?>, Reply<?>> script;
    private boolean closed;
    private long announced;

    public ScriptedConnection(int epoch) {
        this.epoch = epoch;
    }

    /** Answers everything at once from now on. */
    public ScriptedConnection answering(Function<Command<?>, Reply<?>> newScript) {
        script = newScript;
        return this;
    }

    /** Answers nothing from now on, until told to. */
    public void hold() {
        script = null;
    }

    /** Answers the oldest command that is held. */
    @SuppressWarnings("unchecked") // the test knows the type of the answer
    public void answer(Reply<?> reply) {
        held.remove().reply().complete((Reply<Object>) reply);
    }

    /** Returns the oldest command that is held. */
    public Command<?> oldest() {
        return held.element().command();
    }

    /** Loses the connection: what is held becomes unknown. */
    public void lose(String why) {
        while (!held.isEmpty()) {
            answer(Reply.unknown("no answer: " + why, null));
        }
        lost.complete(why);
    }

    public List<Command<?>> sent() {
        return sent;
    }

    /** Returns the versions of the slot map that the commands came with. */
    public List<Long> versions() {
        return routes.stream().map(Route::mapVersion).toList();
    }

    /** Returns what the commands were routed by. */
    public List<Route> routes() {
        return routes;
    }

    public int held() {
        return held.size();
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    @SuppressWarnings("unchecked") // the test knows the type of the answer
    public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
        if (route.mapVersion() < announced) {
            return CompletableFuture.completedFuture(Reply.refused(Refusal.STALE_ROUTE, "announced is " + announced));
        }
        sent.add(command);
        routes.add(route);
        if (script != null) {
            return CompletableFuture.completedFuture((Reply<R>) script.apply(command));
        }
        Held waiting = new Held(command, route, new CompletableFuture<>());
        held.add(waiting);
        return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) waiting.reply();
    }

    /** A script says nothing without being asked. */
    @Override
    public void listen(PushListener listener) {}

    @Override
    public CompletableFuture<Reply<Boolean>> announce(long mapVersion) {
        announced = Math.max(announced, mapVersion);
        CompletableFuture<Reply<Boolean>> before = CompletableFuture.completedFuture(Reply.done(true));
        for (Held waiting : held) {
            before = before.thenCombine(waiting.reply(), (done, answered) -> done);
        }
        return before;
    }

    @Override
    public int epoch() {
        return epoch;
    }

    @Override
    public CompletableFuture<String> lost() {
        return lost;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            lose("closed");
        }
    }
}
