// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.time.Patience;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Says what a coordinator is about to do, before each change that it makes: {@code p1 FROZEN}, {@code map commit}. Whoever hears it
 * may let it stand still there, or end it.
 */
record StepWatch(Consumer<String> steps) {
    MapStore watch(MapStore maps) {
        return new MapStore() {
            @Override
            public PartitionMap read() throws UnavailableException {
                return maps.read();
            }

            @Override
            public Stored compareAndSet(PartitionMap before, PartitionMap next) {
                String change = changeIn(next);
                steps.accept("map " + change);
                Stored stored = maps.compareAndSet(before, next);
                steps.accept("after map " + change);
                return stored;
            }

            // What is prepared changes nothing; what is stored then is a step as any other.
            @Override
            public Prepared prepare(PartitionMap before, PartitionMap next) {
                String change = changeIn(next);
                Prepared prepared = maps.prepare(before, next);
                return () -> {
                    steps.accept("map " + change);
                    return prepared.store().thenApply(stored -> {
                        steps.accept("after map " + change);
                        return stored;
                    });
                };
            }
        };
    }

    private static String changeIn(PartitionMap next) {
        String reason = next.commit().reason();
        return reason.substring(reason.indexOf(": ") + 2).split(" ", -1)[0];
    }

    Function<PartitionId, PartitionConnector> watch(Function<PartitionId, PartitionConnector> connectors) {
        return id -> new Connector(id + " ", connectors.apply(id));
    }

    private static String nameOf(Command<?> command) {
        if (command instanceof FenceCommand.SetFence fence) {
            return fence.to().state() == null ? "NO FENCE" : fence.to().state().name();
        }
        return command.name();
    }

    /** What asks changes nothing: to die before it is to die behind the change that came before. */
    private static boolean isChange(Command<?> command) {
        return command.isWrite()
                || command instanceof FenceCommand.SetFence
                || command instanceof FenceCommand.SetMinVersion
                || command instanceof SlotTransfer.Purge
                || command instanceof SlotTransfer.ForgetDirty
                || command instanceof SlotTransfer.Dismiss;
    }

    private final class Connector implements PartitionConnector {
        private final String partition;
        private final PartitionConnector real;

        Connector(String partition, PartitionConnector real) {
            this.partition = partition;
            this.real = real;
        }

        @Override
        public String address() {
            return real.address();
        }

        @Override
        public CompletableFuture<PartitionConnection> connect() {
            return real.connect().thenApply(Connection::new);
        }

        @Override
        public CompletableFuture<Void> look() {
            return real.look();
        }

        @Override
        public void announce(SlotMap newest) {
            real.announce(newest);
        }

        @Override
        public Duration patience() {
            return real.patience();
        }

        @Override
        public void close() {
            real.close();
        }

        private final class Connection implements PartitionConnection {
            private final PartitionConnection real;

            Connection(PartitionConnection real) {
                this.real = real;
            }

            @Override
            public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
                if (isChange(command)) {
                    steps.accept(partition + nameOf(command));
                }
                return real.send(command, route, patience);
            }

            @Override
            public CompletableFuture<Reply<Boolean>> announce(long mapVersion) {
                return real.announce(mapVersion);
            }

            @Override
            public void listen(PushListener listener) {
                real.listen(listener);
            }

            @Override
            public int epoch() {
                return real.epoch();
            }

            @Override
            public CompletableFuture<String> lost() {
                return real.lost();
            }

            @Override
            public void close() {
                real.close();
            }
        }
    }
}
