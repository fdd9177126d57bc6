// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.ForwardingConnection;
import io.keyslot.client.partition.ForwardingConnector;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.slot.PartitionId;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Says what a coordinator is about to do, before each change that it makes: {@code p1 FROZEN}, {@code map commit}. Whoever hears it
 * may let it stand still there, or end it.
 */
public record StepWatch(Consumer<String> steps) {
    public MapStore watch(MapStore maps) {
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

    public Function<PartitionId, PartitionConnector> watch(Function<PartitionId, PartitionConnector> connectors) {
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

    private final class Connector extends ForwardingConnector {
        private final String partition;

        Connector(String partition, PartitionConnector real) {
            super(real);
            this.partition = partition;
        }

        @Override
        protected PartitionConnection over(PartitionConnection made) {
            return new Connection(partition, made);
        }
    }

    private final class Connection extends ForwardingConnection {
        private final String partition;

        Connection(String partition, PartitionConnection real) {
            super(real);
            this.partition = partition;
        }

        @Override
        public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
            if (isChange(command)) {
                steps.accept(partition + nameOf(command));
            }
            return super.send(command, route, patience);
        }
    }
}
