// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.Piece;
import io.keyslot.slot.SlotMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A connector to a partition that was declared lost. It answers as one without data and clients and with any requested
 * fence, so that a move from or to it has the usual steps.
 */
final class LostPartition implements PartitionConnector {
    @Override
    public String address() {
        return "nowhere";
    }

    @Override
    public CompletableFuture<PartitionConnection> connect() {
        return CompletableFuture.completedFuture(new Connection());
    }

    @Override
    public CompletableFuture<Void> look() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void announce(SlotMap newest) {
        // no connection to announce to
    }

    @Override
    public void close() {
        // nothing to close
    }

    private static @Nullable Object answer(Command<?> command) {
        if (command instanceof FenceCommand.SetFence
                || command instanceof SlotTransfer.Purge
                || command instanceof SlotTransfer.ForgetDirty) {
            return true;
        } else if (command instanceof FenceCommand.SetMinVersion min) {
            return min.mapVersion();
        } else if (command instanceof FenceCommand.ReadFences) {
            return FenceCommand.Fences.NONE;
        } else if (command instanceof SlotTransfer.Keys) {
            return new ScanPage(List.of(), ScanPage.START);
        } else if (command instanceof SlotTransfer.Export export) {
            return export.keys().stream().map(Piece::nothing).toList();
        } else if (command instanceof SlotTransfer.ReadDirty || command instanceof SlotTransfer.ListClients) {
            return List.of();
        } else if (command instanceof SlotTransfer.Memory) {
            return new SlotTransfer.MemoryUse(0, 0, 0, "");
        } else if (command instanceof FeedCommand.ReadEnds) {
            return new FeedCommand.Ends(0, List.of());
        }
        return null;
    }

    private static final class Connection implements PartitionConnection {
        private final CompletableFuture<String> lost = new CompletableFuture<>();

        @Override
        @SuppressWarnings("unchecked") // each answer has the type of its command
        public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
            Object answer = answer(command);
            return CompletableFuture.completedFuture(
                    answer == null
                            ? Reply.refused(Refusal.FORBIDDEN, command.name() + " has no answer of a lost partition")
                            : Reply.done((R) answer));
        }

        @Override
        public CompletableFuture<Reply<Boolean>> announce(long mapVersion) {
            return CompletableFuture.completedFuture(Reply.done(true));
        }

        @Override
        public void listen(PushListener listener) {
            // no pushes
        }

        @Override
        public int epoch() {
            return 0;
        }

        @Override
        public CompletableFuture<String> lost() {
            return lost;
        }

        @Override
        public void close() {
            lost.complete("closed");
        }
    }
}
