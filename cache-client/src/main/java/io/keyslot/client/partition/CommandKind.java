// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static java.util.Map.entry;

import java.util.HashMap;
import java.util.Map;

/** The properties that commands share. A repeatable one may be sent again after its answer was lost. */
record CommandKind(String name, boolean isRepeatable, boolean isWrite) {
    // A HashMap, as its look-up is faster than that of an immutable map.
    static final Map<Class<?>, CommandKind> ALL = new HashMap<>(Map.ofEntries(
            entry(Command.Get.class, reading("get")),
            entry(Command.GetTracked.class, reading("get")),
            entry(Command.GetAll.class, reading("getAll")),
            entry(Command.GetAllTracked.class, reading("getAll")),
            entry(Command.GetAndExpire.class, repeatable("getAndExpire")),
            entry(Command.Put.class, once("put")),
            entry(Command.PutAll.class, once("putAll")),
            entry(Command.CompareAndSet.class, once("compareAndSet")),
            entry(Command.CompareAndRemove.class, once("compareAndRemove")),
            entry(Command.CompareAndExpire.class, repeatable("compareAndExpire")),
            entry(Command.Lease.class, repeatable("lease")),
            entry(Command.GetAndRemove.class, once("getAndRemove")),
            entry(Command.RemoveAll.class, repeatable("removeAll")),
            entry(GroupCommand.class, once("group")),
            // The router splits these, so they are never sent as they are.
            entry(BulkCommand.Get.class, new CommandKind("getAll", false, false)),
            entry(BulkCommand.GetTracked.class, new CommandKind("getAll", false, false)),
            entry(BulkCommand.Put.class, once("putAll")),
            entry(BulkCommand.Remove.class, once("removeAll")),
            entry(Command.Claim.class, repeatable("claim")),
            entry(Command.Reserve.class, repeatable("reserve")),
            entry(Command.GiveBack.class, once("giveBack")),
            entry(Command.NewEpoch.class, repeatable("newEpoch")),
            entry(Command.Scan.class, reading("scan")),
            entry(Command.Erase.class, repeatable("erase")),
            entry(Command.Describe.class, reading("describe")),
            entry(Command.Track.class, reading("track")),
            entry(Command.Served.class, reading("servedSlots")),
            entry(FeedCommand.Attend.class, repeatable("attendFeed")),
            entry(FeedCommand.Read.class, repeatable("readFeed")),
            entry(FeedCommand.Checkpoint.class, repeatable("checkpointFeed")),
            entry(FeedCommand.HasPassed.class, reading("hasPassedFeed")),
            entry(FeedCommand.ReadEnds.class, reading("readFeedEnds")),
            entry(FeedCommand.AppendArrival.class, repeatable("appendArrival")),
            entry(FeedCommand.Describe.class, reading("describeFeeds")),
            entry(FeedCommand.Erase.class, repeatable("eraseFromFeed")),
            entry(FenceCommand.SetFence.class, repeatable("setFence")),
            entry(FenceCommand.ReadFences.class, repeatable("readFences")),
            entry(FenceCommand.SetMinVersion.class, repeatable("setMinVersion")),
            entry(GroupListing.Rows.class, reading("rows")),
            entry(GroupListing.Names.class, reading("names")),
            entry(GroupListing.Forget.class, repeatable("forget")),
            entry(GroupListing.Aggregates.class, reading("aggregates")),
            entry(GroupListing.Weigh.class, reading("weigh")),
            entry(LockCommand.Lock.class, repeatable("lock")),
            entry(LockCommand.RenewLock.class, repeatable("renewLock")),
            entry(LockCommand.Unlock.class, repeatable("unlock")),
            entry(QueueCommand.Send.class, once("sendMessage")),
            entry(QueueCommand.Receive.class, once("receiveMessage")),
            entry(QueueCommand.Settle.class, once("settleMessage")),
            entry(QueueCommand.Describe.class, reading("describeQueue")),
            entry(RegisterCommand.class, repeatable("register")),
            entry(ReplicaCommand.KeepHeartbeat.class, repeatable("keepBeat")),
            entry(ReplicaCommand.ReadBehind.class, reading("readBehind")),
            entry(SlotTransfer.Keys.class, repeatable("slotKeys")),
            entry(SlotTransfer.Export.class, repeatable("export")),
            entry(SlotTransfer.ExportRest.class, repeatable("export")),
            entry(SlotTransfer.Import.class, repeatable("import")),
            entry(SlotTransfer.Purge.class, repeatable("purge")),
            entry(SlotTransfer.ReadDirty.class, repeatable("readDirty")),
            entry(SlotTransfer.ForgetDirty.class, repeatable("forgetDirty")),
            entry(SlotTransfer.Weights.class, repeatable("weights")),
            entry(SlotTransfer.Memory.class, repeatable("memory")),
            entry(SlotTransfer.ListClients.class, repeatable("listClients")),
            entry(SlotTransfer.Dismiss.class, repeatable("dismiss")),
            entry(SlotTransfer.Note.class, repeatable("note")),
            entry(SlotTransfer.ReadNote.class, repeatable("readNote")),
            entry(TrafficCommand.Report.class, repeatable("reportTraffic")),
            entry(TrafficCommand.ReadReports.class, reading("readTraffic"))));

    static CommandKind of(Command<?> command) {
        CommandKind kind = ALL.get(command.getClass());
        if (kind == null) {
            throw new IllegalStateException(command + " has no kind");
        }
        return kind;
    }

    private static CommandKind reading(String name) {
        return new CommandKind(name, true, false);
    }

    private static CommandKind repeatable(String name) {
        return new CommandKind(name, true, true);
    }

    private static CommandKind once(String name) {
        return new CommandKind(name, false, true);
    }
}
