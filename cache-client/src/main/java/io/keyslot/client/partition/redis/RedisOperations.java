// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.Handlers;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.redis.handshake.Epoch;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.InternalKeys;
import io.keyslot.client.partition.redis.wire.Pushes;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.ScriptCalls;
import java.util.concurrent.CompletableFuture;

/** Answers commands by Redis commands: one native command each, or a script where two steps must be atomic. */
final class RedisOperations {
    private static final Handlers<RedisOperations, Command<?>, CompletableFuture<? extends Reply<?>>> OTHERS =
            new Handlers<RedisOperations, Command<?>, CompletableFuture<? extends Reply<?>>>()
                    .on(Command.RemoveAll.class, (self, remove) -> self.scripts.removeAll(remove.keys()))
                    .on(Command.Scan.class, (self, scan) -> self.reads.scan(scan))
                    .on(Command.Served.class, (self, served) -> self.control.servedSlots())
                    .on(Command.NewEpoch.class, (self, renewal) -> self.epoch.renew())
                    .on(Command.Track.class, (self, track) -> self.pushes.track(track))
                    .on(GroupListing.class, (self, listing) -> self.groups.execute(listing))
                    .on(LockCommand.class, (self, lock) -> self.groups.execute(lock))
                    .on(SlotTransfer.class, (self, move) -> self.transfer.execute(move))
                    .on(FenceCommand.class, (self, fence) -> self.control.execute(fence))
                    .on(ReplicaCommand.class, (self, replica) -> self.control.execute(replica))
                    .on(TrafficCommand.class, (self, traffic) -> self.control.execute(traffic))
                    .on(
                            RegisterCommand.class,
                            (self, asked) -> new RedisRegister(self.writer, self.epoch.serverRun()).ask(asked));

    private final CommandWriter writer;
    private final Epoch epoch;
    private final Pushes pushes;
    private final Route route;
    private final Requests requests;
    private final EntryReads reads;
    private final EntryPuts puts;
    private final EntryScripts scripts;
    private final RedisGroups groups;
    private final RedisTransfer transfer;
    private final RedisControl control;

    RedisOperations(CommandWriter writer, Epoch epoch, Pushes pushes, InternalKeys fences, Route route) {
        this.writer = writer;
        this.epoch = epoch;
        this.pushes = pushes;
        this.route = route;
        this.requests = new Requests(epoch.value(), epoch.isGuarded(), epoch.setsManyWithExpiry());
        EntryReader reader = new EntryReader(writer, requests.epoch());
        ScriptCalls calls = new ScriptCalls(writer, route);
        this.reads = new EntryReads(writer, pushes, reader, route);
        this.puts = new EntryPuts(writer, calls, requests, reader, route);
        this.scripts = new EntryScripts(writer, calls, requests, reader, route);
        this.groups = new RedisGroups(writer, calls, requests, route, reader, reads);
        this.transfer = new RedisTransfer(writer, requests, fences);
        Route unfenced = route.withoutFence();
        this.control = new RedisControl(writer, epoch, reader, fences, unfenced, new ScriptCalls(writer, unfenced));
    }

    boolean areFor(Route other) {
        return other.mapVersion() == route.mapVersion()
                && other.isFenced() == route.isFenced()
                && requests.epoch() == epoch.value();
    }

    /** Executes a command. Neither throws nor blocks. */
    @SuppressWarnings("unchecked") // The reply is that of the command.
    <R> CompletableFuture<Reply<R>> execute(Command<R> command) {
        return (CompletableFuture<Reply<R>>) answer(command);
    }

    /** Tests for the frequent commands first. */
    private CompletableFuture<? extends Reply<?>> answer(Command<?> command) {
        if (command instanceof Command.Get get) {
            return reads.get(get.key());
        }
        if (command instanceof Command.Put put) {
            return puts.put(put);
        }
        if (command instanceof Command.GetAll getAll) {
            return reads.getAll(getAll.keys());
        }
        if (command instanceof Command.PutAll putAll) {
            return puts.putAll(putAll.puts());
        }
        if (command instanceof Command.CompareAndSet set) {
            return scripts.compareAndSet(set);
        }
        if (command instanceof Command.GetTracked get) {
            return reads.getTracked(get.key());
        }
        if (command instanceof Command.GetAllTracked getAll) {
            return reads.getAllTracked(getAll.keys());
        }
        if (command instanceof GroupCommand group) {
            return groups.execute(group);
        }
        if (command instanceof Command.Describe describe) {
            return reads.describe(describe.key());
        }
        if (command instanceof Command.GetAndExpire get && get.expiry().isUnchanged()) {
            return reads.get(get.key());
        }
        return command instanceof Command.OfKey<?> change ? scripts.execute(change) : OTHERS.answer(this, command);
    }
}
