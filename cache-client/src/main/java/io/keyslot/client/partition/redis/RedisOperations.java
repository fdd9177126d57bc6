// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.Handlers;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.QueueCommand;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.TrafficCommand;
import java.util.concurrent.CompletableFuture;

/** Answers commands by Redis commands: one native command each, or a script where two steps must be atomic. */
final class RedisOperations {
    private static final Handlers<RedisOperations, Command<?>, CompletableFuture<? extends Reply<?>>> OTHERS =
            new Handlers<RedisOperations, Command<?>, CompletableFuture<? extends Reply<?>>>()
                    .on(Command.Describe.class, (self, describe) -> self.entries.describe(describe.key()))
                    .on(Command.GetAndExpire.class, (self, change) -> self.entries.execute(change))
                    .on(Command.CompareAndRemove.class, (self, change) -> self.entries.execute(change))
                    .on(Command.CompareAndExpire.class, (self, change) -> self.entries.execute(change))
                    .on(Command.Lease.class, (self, change) -> self.entries.execute(change))
                    .on(Command.Claim.class, (self, change) -> self.entries.execute(change))
                    .on(Command.Reserve.class, (self, change) -> self.entries.execute(change))
                    .on(Command.GiveBack.class, (self, change) -> self.entries.execute(change))
                    .on(Command.GetAndRemove.class, (self, change) -> self.entries.execute(change))
                    .on(Command.RemoveAll.class, (self, remove) -> self.entries.removeAll(remove.keys()))
                    .on(Command.Erase.class, (self, erase) -> self.entries.erase(erase.keys()))
                    .on(Command.Scan.class, (self, scan) -> self.entries.scan(scan))
                    .on(Command.Served.class, (self, served) -> self.control.servedSlots())
                    .on(Command.NewEpoch.class, (self, renewal) -> self.epoch.renew())
                    .on(Command.Track.class, (self, track) -> self.pushes.track())
                    .on(GroupListing.class, (self, listing) -> self.groups.execute(listing))
                    .on(LockCommand.class, (self, lock) -> self.groups.execute(lock))
                    .on(QueueCommand.class, (self, queue) -> new RedisQueues(self.session).execute(queue))
                    .on(SlotTransfer.class, (self, move) -> self.transfer.execute(move))
                    .on(FeedCommand.class, (self, feed) -> self.feeds.execute(feed))
                    .on(FenceCommand.class, (self, fence) -> self.control.execute(fence))
                    .on(ReplicaCommand.class, (self, replica) -> self.control.execute(replica))
                    .on(TrafficCommand.class, (self, traffic) -> self.control.execute(traffic))
                    .on(
                            RegisterCommand.class,
                            (self, asked) -> RedisRegister.ask(self.writer, self.epoch.serverRun(), asked));

    final Route route;
    private final CommandWriter writer;
    private final Epoch epoch;
    private final Pushes pushes;
    private final RedisSession session;
    private final RedisEntries entries;
    private final EntryPuts puts;
    private final RedisGroups groups;
    private final RedisTransfer transfer;
    private final RedisControl control;
    private final RedisFeeds feeds;

    RedisOperations(CommandWriter writer, Epoch epoch, Pushes pushes, InternalKeys keys, Route route) {
        this.route = route;
        this.writer = writer;
        this.epoch = epoch;
        this.pushes = pushes;
        this.session = new RedisSession(writer, route, epoch.value(), epoch.isGuarded());
        this.entries = new RedisEntries(session, writer, pushes, epoch.server().comparesValues());
        this.puts = new EntryPuts(session, epoch.server().setsManyWithExpiry());
        this.groups = new RedisGroups(session, writer, entries);
        this.transfer = new RedisTransfer(session.by(Route.ANY), keys);
        this.control = new RedisControl(session.by(route.withoutFence()), session.by(Route.ANY), epoch, keys);
        this.feeds = new RedisFeeds(session.by(Route.ANY), epoch, keys);
    }

    /** Executes a command. Neither throws nor blocks. */
    @SuppressWarnings("unchecked") // The reply is that of the command.
    <R> CompletableFuture<Reply<R>> execute(Command<R> command) {
        return (CompletableFuture<Reply<R>>) answer(command);
    }

    /** The frequent commands need no look-up. */
    private CompletableFuture<? extends Reply<?>> answer(Command<?> command) {
        if (command instanceof Command.Get get) {
            return entries.get(get.key());
        }
        if (command instanceof Command.Put put) {
            return puts.put(put);
        }
        if (command instanceof Command.GetAll getAll) {
            return entries.getAll(getAll.keys());
        }
        if (command instanceof Command.PutAll putAll) {
            return puts.putAll(putAll.puts());
        }
        if (command instanceof Command.CompareAndSet set) {
            return entries.compareAndSet(set);
        }
        if (command instanceof Command.GetTracked get) {
            return entries.getTracked(get.key());
        }
        if (command instanceof Command.GetAllTracked getAll) {
            return entries.getAllTracked(getAll.keys());
        }
        if (command instanceof GroupCommand group) {
            return groups.execute(group);
        }
        if (command instanceof Command.GetAndExpire get && get.expiry().isUnchanged()) {
            return entries.get(get.key());
        }
        return OTHERS.answer(this, command);
    }
}
