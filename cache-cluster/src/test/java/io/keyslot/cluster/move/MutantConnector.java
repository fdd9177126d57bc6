// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.ForwardingConnection;
import io.keyslot.client.partition.ForwardingConnector;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Guard;
import io.keyslot.client.stored.SlotFence.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A coordinator's way to a partition, on which a guard is missing, or on which the coordinator dies. */
final class MutantConnector extends ForwardingConnector {
    private final Mutant mutant;
    private final Consumer<Command<?>> beforeEach;
    private final Held held;

    /**
     * @param beforeEach is called before each command
     * @param held what both ways of a coordinator hold back
     */
    MutantConnector(PartitionConnector real, Mutant mutant, Consumer<Command<?>> beforeEach, Held held) {
        super(real);
        this.mutant = mutant;
        this.beforeEach = beforeEach;
        this.held = held;
    }

    /** Commands that are sent later than they should be. */
    static final class Held {
        private static final Duration LONG = Duration.ofMillis(30);

        /** So few keys are exported at a time, as if they were large: a copy has several batches. */
        private static final int KEYS_AT_ONCE = 16;

        private final BiConsumer<Duration, Runnable> after;
        private final boolean receivesLate;
        private final Supplier<Duration> importsTake;
        private int looksBeforeLoss;
        private FenceCommand.@Nullable SetFence frozen;
        private @Nullable Runnable moved;
        private @Nullable Runnable forgotten;

        /**
         * @param after does something after a while
         * @param looksBeforeLoss after how many looks that find something the source loses what was written; -1 for never
         * @param receivesLate whether what a coordinator before has sent, to end a freeze, arrives when nobody expects it
         * @param importsTake for how long each import is on its way
         */
        Held(
                BiConsumer<Duration, Runnable> after,
                int looksBeforeLoss,
                boolean receivesLate,
                Supplier<Duration> importsTake) {
            this.after = after;
            this.receivesLate = receivesLate;
            this.importsTake = importsTake;
            this.looksBeforeLoss = looksBeforeLoss;
        }

        void sendMoved() {
            Runnable task = moved;
            moved = null;
            if (task != null) {
                after.accept(LONG, task);
            }
        }

        void sendForgotten() {
            Runnable task = forgotten;
            forgotten = null;
            if (task != null) {
                task.run();
            }
        }
    }

    @Override
    protected PartitionConnection over(PartitionConnection made) {
        return new Connection(made);
    }

    private final class Connection extends ForwardingConnection {
        Connection(PartitionConnection connection) {
            super(connection);
        }

        @Override
        @SuppressWarnings("unchecked") // each answer is of the command that is answered
        public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
            beforeEach.accept(command);
            if (command instanceof SlotTransfer.Export all && all.keys().size() > Held.KEYS_AT_ONCE) {
                SlotTransfer.Export some = new SlotTransfer.Export(all.keys().subList(0, Held.KEYS_AT_ONCE));
                return connection.send((Command<R>) some, route, patience);
            }
            if (command instanceof SlotTransfer.Import
                    && !held.importsTake.get().isZero()) {
                return sendLate(command, route);
            }
            if (held.looksBeforeLoss >= 0 && command instanceof SlotTransfer.ReadDirty read) {
                return connection.send(command, route, patience).thenApply(reply ->
                        (Reply<R>) lost(read, (Reply<List<SlotTransfer.Dirty>>) reply));
            }
            if (isTo(command, State.FROZEN) && command instanceof FenceCommand.SetFence set) {
                held.frozen = set;
            }
            FenceCommand.SetFence frozen = held.frozen;
            if (held.receivesLate
                    && frozen != null
                    && command instanceof SlotTransfer.ReadDirty read
                    && read.guard().state() == State.FROZEN) {
                // Behind the last look at what was written, and before the commit.
                CompletableFuture<Reply<R>> reply = sendMutated(command, route, patience);
                send(connection, unfreezing(frozen), route);
                return reply;
            }
            return sendMutated(command, route, patience);
        }

        /** What was sent before it may arrive behind it. */
        @SuppressWarnings("unchecked") // each answer is of the command that is answered
        private <R> CompletableFuture<Reply<R>> sendLate(Command<R> command, Route route) {
            CompletableFuture<Reply<R>> late = new CompletableFuture<>();
            held.after.accept(held.importsTake.get(), () -> {
                CompletableFuture<Boolean> unused =
                        connection.send(command, route, Patience.UNLIMITED).thenApply(late::complete);
            });
            return mutant == Mutant.IMPORTS_NOT_AWAITED ? done((R) (Boolean) true) : late;
        }

        @SuppressWarnings("unchecked") // each answer is of the command that is answered
        private <R> CompletableFuture<Reply<R>> sendMutated(Command<R> command, Route route, Patience patience) {
            switch (mutant) {
                case NO_BARRIER -> {
                    if (command instanceof SlotTransfer.ListClients) {
                        return done((R) List.of());
                    } else if (command instanceof FenceCommand.SetMinVersion min) {
                        return done((R) (Long) min.mapVersion());
                    }
                }
                case NO_FREEZE -> {
                    if (isTo(command, State.FROZEN)) {
                        return done((R) (Boolean) true);
                    }
                    return connection.send((Command<R>) unfrozen(command), route, patience);
                }
                case OWNED_BEFORE_CLOSED -> {
                    if (isTo(command, State.CLOSED)) {
                        return done((R) (Boolean) true);
                    } else if (command instanceof FenceCommand.SetFence set && isTo(command, State.MOVED)) {
                        held.moved = () -> send(connection, movedFromAny(set), route);
                        return done((R) (Boolean) true);
                    } else if (isTo(command, State.OWNED)) {
                        CompletableFuture<Reply<R>> reply = connection.send(command, route, patience);
                        CompletableFuture<Void> unused = reply.thenRun(held::sendMoved);
                        return reply;
                    }
                }
                case OWNED_BEFORE_MOVED -> {
                    if (isTo(command, State.MOVED)) {
                        held.moved = () -> send(connection, command, route);
                        return done((R) (Boolean) true);
                    } else if (isTo(command, State.OWNED)) {
                        CompletableFuture<Reply<R>> reply = connection.send(command, route, patience);
                        CompletableFuture<Void> unused = reply.thenRun(held::sendMoved);
                        return reply;
                    }
                }
                case ACTIVE_BEFORE_COMMIT -> {
                    // The last step before the commit is to look whether the target still waits.
                    if (command instanceof FenceCommand.SetFence set
                            && isTo(command, State.IMPORTING)
                            && !set.from().orNone()) {
                        return connection.send(
                                (Command<R>) new FenceCommand.SetFence(
                                        set.slots(),
                                        set.from(),
                                        new FenceCommand.To(
                                                State.OWNED, set.to().move(), 0),
                                        set.coordinator()),
                                route,
                                patience);
                    }
                }
                case TARGET_NOT_EMPTIED -> {
                    if (command instanceof SlotTransfer.Purge purge
                            && purge.guard().state() == State.IMPORTING) {
                        return done((R) (Boolean) true);
                    }
                }
                case NO_NUMBER -> {
                    return connection.send((Command<R>) unnumbered(command), route, patience);
                }
                case FORGOTTEN_AFTERWARDS -> {
                    if (command instanceof SlotTransfer.ForgetDirty) {
                        Runnable before = held.forgotten;
                        held.forgotten = () -> {
                            if (before != null) {
                                before.run();
                            }
                            send(connection, command, route);
                        };
                        return done((R) (Boolean) true);
                    } else if (command instanceof SlotTransfer.Import) {
                        CompletableFuture<Reply<R>> reply = connection.send(command, route, patience);
                        CompletableFuture<Void> unused = reply.thenRun(held::sendForgotten);
                        return reply;
                    }
                }
                case NONE, PLAIN_AT_SETTLE, NO_SENTINEL, IMPORTS_NOT_AWAITED, RECOVERED_ALONE -> {}
            }
            return connection.send(command, route, patience);
        }

        /** As if the server had evicted what was noted: it says so, and knows nothing of it. */
        private Reply<List<SlotTransfer.Dirty>> lost(
                SlotTransfer.ReadDirty read, Reply<List<SlotTransfer.Dirty>> reply) {
            if (!(reply instanceof Reply.Done<List<SlotTransfer.Dirty>> done)
                    || done.value().isEmpty()
                    || held.looksBeforeLoss-- > 0) {
                return reply;
            }
            List<SlotTransfer.Dirty> known = done.value();
            known.forEach(dirty -> send(
                    connection, new SlotTransfer.ForgetDirty(read.guard(), dirty.slot(), dirty.keys()), Route.ANY));
            return mutant == Mutant.NO_SENTINEL
                    ? Reply.done(List.of())
                    : Reply.done(known.stream()
                            .map(dirty -> new SlotTransfer.Dirty(dirty.slot(), false, List.of()))
                            .toList());
        }

        private <R> void send(PartitionConnection on, Command<R> command, Route route) {
            CompletableFuture<Reply<R>> unused = on.send(command, route, Patience.UNLIMITED);
        }
    }

    private static <R> CompletableFuture<Reply<R>> done(R answer) {
        return CompletableFuture.completedFuture(Reply.done(answer));
    }

    private static boolean isTo(Command<?> command, State state) {
        return command instanceof FenceCommand.SetFence set && set.to().state() == state;
    }

    private static Command<?> unfrozen(Command<?> command) {
        if (command instanceof SlotTransfer.ReadDirty read && read.guard().state() == State.FROZEN) {
            return new SlotTransfer.ReadDirty(moving(read.guard()), read.slots(), read.atMost());
        } else if (command instanceof SlotTransfer.ForgetDirty forget
                && forget.guard().state() == State.FROZEN) {
            return new SlotTransfer.ForgetDirty(moving(forget.guard()), forget.slot(), forget.keys());
        }
        return command;
    }

    private static Guard moving(Guard guard) {
        return new Guard(State.MOVING, guard.move(), guard.coordinator(), guard.slots());
    }

    private static FenceCommand.SetFence movedFromAny(FenceCommand.SetFence moved) {
        return new FenceCommand.SetFence(
                moved.slots(),
                FenceCommand.From.any(State.MOVING, State.FROZEN, State.CLOSED, State.MOVED)
                        .orAbsent(),
                moved.to(),
                moved.coordinator());
    }

    /** What the first coordinator of all would send to end a freeze. */
    private static FenceCommand.SetFence unfreezing(FenceCommand.SetFence frozen) {
        return new FenceCommand.SetFence(
                frozen.slots(),
                FenceCommand.From.any(State.FROZEN),
                new FenceCommand.To(State.MOVING, frozen.to().move(), 0),
                SAME);
    }

    /** Lower than the number of any coordinator. */
    private static final long SAME = 1;

    private static Command<?> unnumbered(Command<?> command) {
        if (command instanceof FenceCommand.SetFence set) {
            return new FenceCommand.SetFence(set.slots(), set.from(), set.to(), SAME);
        } else if (command instanceof SlotTransfer.Import some) {
            return new SlotTransfer.Import(same(some.guard()), some.pieces());
        } else if (command instanceof SlotTransfer.Purge some) {
            return new SlotTransfer.Purge(same(some.guard()), some.keys());
        } else if (command instanceof SlotTransfer.ReadDirty some) {
            return new SlotTransfer.ReadDirty(same(some.guard()), some.slots(), some.atMost());
        } else if (command instanceof SlotTransfer.ForgetDirty some) {
            return new SlotTransfer.ForgetDirty(same(some.guard()), some.slot(), some.keys());
        }
        return command;
    }

    private static Guard same(Guard guard) {
        return new Guard(guard.state(), guard.move(), SAME, guard.slots());
    }
}
