// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.routing.MoveSimulation.Mutant;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The way of one process to a {@link MovingServer}, in whose line everything is executed in its order. For one thread. */
final class MovingLine implements PartitionConnector {
    static final Duration COMMAND_TIMEOUT = Duration.ofMillis(100);

    private final MovingServer server;
    private final ManualTime time;
    private final Mutant mutant;
    private @Nullable CompletableFuture<PartitionConnection> connecting;
    private @Nullable Line line;
    private long announced;

    MovingLine(MovingServer server, ManualTime time, Mutant mutant) {
        this.server = server;
        this.time = time;
        this.mutant = mutant;
    }

    @Override
    public String address() {
        return server.id + ":6379";
    }

    @Override
    public CompletableFuture<PartitionConnection> connect() {
        connecting = new CompletableFuture<>();
        return connecting;
    }

    @Override
    public CompletableFuture<Void> look() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void announce(SlotMap newest) {
        announced = Math.max(announced, newest.version());
    }

    /** Lets an attempt end: the handshake is one step, and the connection knows the map that was announced before it. */
    void accept() {
        CompletableFuture<PartitionConnection> attempt = connecting;
        if (attempt == null) {
            return;
        }
        connecting = null;
        if (server.minVersion > announced && mutant != Mutant.NO_MIN_VERSION) {
            attempt.completeExceptionally(ConnectFailure.outdated(address(), "outdated", server.minVersion));
        } else {
            Line next = new Line(announced);
            line = next;
            attempt.complete(next);
        }
    }

    void execute() {
        if (line != null) {
            line.execute();
        }
    }

    void lose(String why) {
        if (line != null) {
            line.lose(why);
        }
    }

    void killBefore(long version) {
        if (line != null && line.name[0] < version) {
            line.lose("killed");
        }
    }

    @Override
    public void close() {
        lose("closed");
    }

    /** Something in the line: a command, or a name if there is none. */
    private record Taken(@Nullable Command<?> command, Route route, CompletableFuture<Reply<Object>> reply) {}

    private final class Line implements PartitionConnection {
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private final Deque<Taken> taken = new ArrayDeque<>();
        private final long[] name;
        private long versionGuard;
        private boolean broken;

        Line(long version) {
            versionGuard = version;
            name = server.list(version);
        }

        @Override
        @SuppressWarnings("unchecked") // the type of the answer follows from the command's
        public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
            if (broken) {
                return CompletableFuture.completedFuture(Reply.refused(Refusal.UNAVAILABLE, "the connection is lost"));
            }
            if (route.mapVersion() < versionGuard && mutant != Mutant.DISCONNECTED_VERSION_GUARD) {
                return CompletableFuture.completedFuture(
                        Reply.refused(Refusal.STALE_ROUTE, "announced is " + versionGuard));
            }
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) take(command, route);
        }

        private CompletableFuture<Reply<Object>> take(@Nullable Command<?> command, Route route) {
            Taken next = new Taken(command, route, new CompletableFuture<>());
            taken.add(next);
            time.timing()
                    .schedule(
                            () -> next.reply().complete(Reply.unknown("no answer in time", null)),
                            COMMAND_TIMEOUT.toNanos());
            return next.reply();
        }

        @Override
        public CompletableFuture<Reply<Boolean>> announce(long version) {
            versionGuard = Math.max(versionGuard, version);
            if (mutant == Mutant.HASTY_NAME) {
                name[0] = versionGuard;
            }
            return take(null, Route.plain(versionGuard)).thenApply(done -> Reply.done(true));
        }

        void execute() {
            Taken next = taken.poll();
            if (next == null) {
                return;
            }
            if (next.command() == null) {
                name[0] = Math.max(name[0], next.route().mapVersion());
                next.reply().complete(Reply.done(true));
            } else {
                next.reply().complete(untyped(server.execute(next.command(), next.route())));
            }
        }

        @SuppressWarnings("unchecked") // the type of the answer follows from the command's
        private static Reply<Object> untyped(Reply<?> reply) {
            return (Reply<Object>) reply;
        }

        /** What was sent is never executed: it has not arrived. */
        void lose(String why) {
            if (broken) {
                return;
            }
            broken = true;
            server.forget(name);
            List<Taken> cut = List.copyOf(taken);
            taken.clear();
            cut.forEach(each -> each.reply().complete(Reply.unknown("no answer: " + why, null)));
            lost.complete(why);
        }

        @Override
        public void listen(PushListener listener) {}

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
            lose("closed");
        }
    }
}
