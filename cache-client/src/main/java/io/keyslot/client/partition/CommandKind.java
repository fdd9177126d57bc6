// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static java.util.Map.entry;

import java.util.Map;
import java.util.Objects;

/** The properties that commands share. A repeatable one may be sent again after its answer was lost. */
record CommandKind(String name, boolean isRepeatable, boolean isWrite) {
    // The commands of the path of a call name their kind, which takes no lookup.
    static final CommandKind GET = reading("get");
    static final CommandKind GET_ALL = reading("getAll");
    static final CommandKind GET_AND_EXPIRE = repeatable("getAndExpire");
    static final CommandKind PUT = once("put");
    static final CommandKind PUT_ALL = once("putAll");
    static final CommandKind COMPARE_AND_SET = once("compareAndSet");
    static final CommandKind COMPARE_AND_REMOVE = once("compareAndRemove");
    static final CommandKind COMPARE_AND_EXPIRE = repeatable("compareAndExpire");
    static final CommandKind LEASE = repeatable("lease");
    static final CommandKind GET_AND_REMOVE = once("getAndRemove");
    static final CommandKind REMOVE_ALL = repeatable("removeAll");
    static final CommandKind GROUP = once("group");

    // The router splits these, so they are never sent as they are.
    static final CommandKind BULK_GET = new CommandKind("getAll", false, false);
    static final CommandKind BULK_PUT = new CommandKind("putAll", false, true);
    static final CommandKind BULK_REMOVE = new CommandKind("removeAll", false, true);

    static final Map<Class<?>, CommandKind> OTHERS = Map.ofEntries(
            entry(Command.Claim.class, repeatable("claim")),
            entry(Command.Reserve.class, repeatable("reserve")),
            entry(Command.GiveBack.class, once("giveBack")),
            entry(Command.NewEpoch.class, repeatable("newEpoch")),
            entry(Command.Scan.class, reading("scan")),
            entry(Command.Describe.class, reading("describe")),
            entry(Command.Served.class, reading("servedSlots")),
            entry(FenceCommand.SetFence.class, repeatable("setFence")),
            entry(FenceCommand.ReadFences.class, repeatable("readFences")),
            entry(FenceCommand.SetMinVersion.class, repeatable("setMinVersion")),
            entry(GroupListing.Rows.class, reading("rows")),
            entry(GroupListing.Names.class, reading("names")),
            entry(GroupListing.Forget.class, repeatable("forget")),
            entry(GroupListing.Relist.class, repeatable("reindex")),
            entry(GroupListing.Hold.class, repeatable("expireAll")),
            entry(GroupListing.Release.class, repeatable("expireAll")),
            entry(GroupListing.Expire.class, repeatable("expireAll")),
            entry(GroupListing.Aggregates.class, reading("aggregates")),
            entry(GroupListing.Weigh.class, reading("weigh")),
            entry(LockCommand.Lock.class, repeatable("lock")),
            entry(LockCommand.RenewLock.class, repeatable("renewLock")),
            entry(LockCommand.Unlock.class, repeatable("unlock")),
            entry(PushCommand.Track.class, reading("track")),
            entry(PushCommand.Subscribe.class, reading("subscribe")),
            entry(PushCommand.Publish.class, once("publish")),
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
            entry(TrafficCommand.ReadReports.class, reading("readTraffic")));

    static CommandKind of(Command<?> command) {
        return Objects.requireNonNull(OTHERS.get(command.getClass()), () -> command + " has no kind");
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
