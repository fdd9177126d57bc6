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
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The way to an instance, on which the simulation decides what happens when. For one thread. */
final class SimulatedLine implements PartitionConnector {
    static final Duration COMMAND_TIMEOUT = Duration.ofMillis(100);

    /** Hears of each command that a connection takes. */
    interface Admission {
        void admitted(PartitionId partition, Command<?> command, long version);
    }

    private final PartitionId id;
    private final Map<EncodedKey, Envelope> entries;
    private final ManualTime time;
    private final TopologySimulation.Mutant mutant;
    private final Admission admission;
    private final List<Line> connections = new ArrayList<>();
    private @Nullable CompletableFuture<PartitionConnection> connecting;
    private long connectingBy;
    private long start = -1;
    private long announced;
    private boolean leaving;
    private boolean closed;
    private boolean cutAnswers;

    SimulatedLine(
            PartitionId id,
            Map<EncodedKey, Envelope> entries,
            ManualTime time,
            TopologySimulation.Mutant mutant,
            Admission admission) {
        this.id = id;
        this.entries = entries;
        this.time = time;
        this.mutant = mutant;
        this.admission = admission;
    }

    PartitionId id() {
        return id;
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns whether it was closed while somebody waited for an answer that was on its way. */
    boolean hasCutAnswers() {
        return cutAnswers;
    }

    @Override
    public String address() {
        return id + ":6379";
    }

    @Override
    public CompletableFuture<PartitionConnection> connect() {
        connecting = new CompletableFuture<>();
        connectingBy = mutant == TopologySimulation.Mutant.MAP_OF_THE_START ? start : announced;
        return connecting;
    }

    @Override
    public CompletableFuture<Void> look() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void announce(SlotMap newest) {
        start = start < 0 ? newest.version() : start;
        announced = Math.max(announced, newest.version());
        leaving |= !newest.partitions().contains(id);
    }

    void connect(boolean succeeds) {
        CompletableFuture<PartitionConnection> attempt = connecting;
        if (attempt == null) {
            return;
        }
        connecting = null;
        if (succeeds) {
            Line line = new Line(connectingBy);
            connections.add(line);
            attempt.complete(line);
        } else {
            attempt.completeExceptionally(new ConnectFailure(ConnectFailure.Kind.UNREACHABLE, "refused", null));
        }
    }

    void answer() {
        connections.forEach(Line::answer);
    }

    void answerAll() {
        connections.forEach(Line::answerAll);
    }

    void lose(boolean really) {
        if (really && !connections.isEmpty()) {
            connections.get(connections.size() - 1).lose("reset");
        }
    }

    @Override
    public void close() {
        closed = true;
        connections.forEach(Line::close);
    }

    /** A command that was taken, and what it does when it arrives. */
    private record Taken(Command<?> command, CompletableFuture<Reply<Object>> reply) {}

    private final class Line implements PartitionConnection {
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private final Deque<Taken> taken = new ArrayDeque<>();
        private long versionGuard;
        private boolean broken;
        private boolean silent;

        Line(long mapVersion) {
            versionGuard = mapVersion;
        }

        @Override
        @SuppressWarnings("unchecked") // the type of the answer follows from the command's
        public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
            if (broken) {
                return CompletableFuture.completedFuture(Reply.refused(Refusal.UNAVAILABLE, "the connection is lost"));
            }
            if (route.mapVersion() < versionGuard) {
                return CompletableFuture.completedFuture(
                        Reply.refused(Refusal.STALE_ROUTE, "announced is " + versionGuard));
            }
            admission.admitted(id, command, route.mapVersion());
            Taken next = new Taken(command, new CompletableFuture<>());
            taken.add(next);
            time.timing().schedule(() -> giveUp(next), COMMAND_TIMEOUT.toNanos());
            return (CompletableFuture<Reply<R>>) (CompletableFuture<?>) next.reply();
        }

        @Override
        public void listen(PushListener listener) {}

        private void giveUp(Taken late) {
            silent |= !late.reply().isDone();
            late.reply().complete(Reply.unknown("no answer in time", null));
        }

        @Override
        public CompletableFuture<Reply<Boolean>> announce(long mapVersion) {
            if (mutant != TopologySimulation.Mutant.DISCONNECTED_CONNECTION) {
                versionGuard = Math.max(versionGuard, mapVersion);
            }
            CompletableFuture<Reply<Boolean>> answered = CompletableFuture.completedFuture(Reply.done(true));
            if (mutant != TopologySimulation.Mutant.HASTY_ANSWER) {
                for (Taken before : taken) {
                    answered = answered.thenCombine(before.reply(), (done, reply) -> done);
                }
            }
            return answered;
        }

        void answer() {
            Taken next = taken.poll();
            if (next != null) {
                next.reply().complete(Reply.done(execute(next.command())));
            }
        }

        void answerAll() {
            while (!taken.isEmpty()) {
                answer();
            }
        }

        private Object execute(Command<?> command) {
            if (command instanceof Command.Put put) {
                entries.put(put.key(), put.envelope());
                return true;
            }
            Envelope found = entries.get(((Command.Get) command).key());
            return found == null ? Lookup.absent() : Lookup.of(found);
        }

        void lose(String why) {
            List<Taken> cut = List.copyOf(taken);
            taken.clear();
            broken = true;
            cut.forEach(each -> each.reply().complete(Reply.unknown("no answer: " + why, null)));
            lost.complete(why);
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
            // After a silence it may be closed for that.
            cutAnswers |= leaving
                    && !silent
                    && taken.stream().anyMatch(each -> !each.reply().isDone());
            lose("closed");
        }
    }
}
