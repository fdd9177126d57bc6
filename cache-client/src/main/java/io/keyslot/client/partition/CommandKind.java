// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.Piece;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** The properties that all commands of one kind share; a repeatable one may be sent again after its answer was lost. */
record CommandKind<R>(
        String name,
        boolean isRepeatable,
        boolean isWrite,
        BiFunction<PartitionOperations, Command<R>, CompletableFuture<Reply<R>>> operation) {
    static final CommandKind<Lookup> GET = reading(Command.Get.class, "get", PartitionOperations::get);
    static final CommandKind<TrackedLookup> GET_TRACKED =
            reading(Command.GetTracked.class, "get", PartitionOperations::getTracked);
    static final CommandKind<List<Lookup>> GET_ALL =
            reading(Command.GetAll.class, "getAll", PartitionOperations::getAll);
    static final CommandKind<List<TrackedLookup>> GET_ALL_TRACKED =
            reading(Command.GetAllTracked.class, "getAll", PartitionOperations::getAllTracked);
    static final CommandKind<Lookup> GET_AND_EXPIRE =
            repeatable(Command.GetAndExpire.class, "getAndExpire", PartitionOperations::getAndExpire);
    static final CommandKind<Boolean> PUT = once(Command.Put.class, "put", PartitionOperations::put);
    static final CommandKind<List<Reply<Boolean>>> PUT_ALL =
            once(Command.PutAll.class, "putAll", PartitionOperations::putAll);
    static final CommandKind<Boolean> COMPARE_AND_SET =
            once(Command.CompareAndSet.class, "compareAndSet", PartitionOperations::compareAndSet);
    static final CommandKind<Boolean> COMPARE_AND_REMOVE =
            once(Command.CompareAndRemove.class, "compareAndRemove", PartitionOperations::compareAndRemove);
    static final CommandKind<Boolean> COMPARE_AND_EXPIRE =
            repeatable(Command.CompareAndExpire.class, "compareAndExpire", PartitionOperations::compareAndExpire);
    static final CommandKind<Lookup> LEASE = repeatable(Command.Lease.class, "lease", PartitionOperations::lease);
    static final CommandKind<Boolean> CLAIM = repeatable(Command.Claim.class, "claim", PartitionOperations::claim);
    static final CommandKind<Reservation> RESERVE =
            repeatable(Command.Reserve.class, "reserve", PartitionOperations::reserve);
    static final CommandKind<Boolean> RELEASE_LEASE =
            once(Command.GiveBack.class, "giveBack", PartitionOperations::giveBack);
    static final CommandKind<Boolean> NEW_EPOCH =
            repeatable(Command.NewEpoch.class, "newEpoch", PartitionOperations::newEpoch);
    static final CommandKind<Lookup> GET_AND_REMOVE =
            once(Command.GetAndRemove.class, "getAndRemove", PartitionOperations::getAndRemove);
    static final CommandKind<Long> REMOVE_ALL =
            repeatable(Command.RemoveAll.class, "removeAll", PartitionOperations::removeAll);
    static final CommandKind<ScanPage> SCAN = reading(Command.Scan.class, "scan", PartitionOperations::scan);
    static final CommandKind<Description> DESCRIBE =
            reading(Command.Describe.class, "describe", PartitionOperations::describe);
    static final CommandKind<Optional<ServedSlots>> SERVED =
            reading(Command.Served.class, "servedSlots", PartitionOperations::served);
    static final CommandKind<List<Long>> SIZES = reading(Command.Sizes.class, "sizes", PartitionOperations::sizes);
    static final CommandKind<GroupReply> GROUP = once(GroupCommand.class, "group", PartitionOperations::group);
    static final CommandKind<Long> LOCK = repeatable(LockCommand.Lock.class, "lock", PartitionOperations::lock);
    static final CommandKind<Boolean> RENEW_LOCK =
            repeatable(LockCommand.RenewLock.class, "renewLock", PartitionOperations::renewLock);
    static final CommandKind<Boolean> UNLOCK =
            repeatable(LockCommand.Unlock.class, "unlock", PartitionOperations::unlock);
    static final CommandKind<Boolean> TRACK = reading(PushCommand.Track.class, "track", PartitionOperations::track);
    static final CommandKind<Boolean> SUBSCRIBE =
            reading(PushCommand.Subscribe.class, "subscribe", PartitionOperations::subscribe);
    static final CommandKind<Long> PUBLISH = once(PushCommand.Publish.class, "publish", PartitionOperations::publish);

    static final CommandKind<AcceptorAnswer> REGISTER = repeatable(
            RegisterCommand.class,
            "register",
            (operations, command) -> operations.register().ask(command));

    static final CommandKind<List<GroupListing.Row>> ROWS =
            listing(GroupListing.Rows.class, "rows", GroupDirectory::rows);
    static final CommandKind<List<Element>> NAMES = listing(GroupListing.Names.class, "names", GroupDirectory::names);
    static final CommandKind<Long> FORGET = relisting(GroupListing.Forget.class, "forget", GroupDirectory::forget);
    static final CommandKind<Long> RELIST = relisting(GroupListing.Relist.class, "reindex", GroupDirectory::relist);
    static final CommandKind<Long> HOLD = relisting(GroupListing.Hold.class, "expireAll", GroupDirectory::hold);
    static final CommandKind<Long> RELEASE =
            relisting(GroupListing.Release.class, "expireAll", GroupDirectory::release);
    static final CommandKind<Long> EXPIRE = relisting(GroupListing.Expire.class, "expireAll", GroupDirectory::expire);
    static final CommandKind<List<AggregateDescription>> AGGREGATES =
            listing(GroupListing.Aggregates.class, "aggregates", GroupDirectory::aggregates);
    static final CommandKind<GroupWeight> MEASURE_KEYS =
            listing(GroupListing.Weigh.class, "weigh", GroupDirectory::weigh);

    static final CommandKind<Boolean> SET_FENCE =
            fencing(FenceCommand.SetFence.class, "setFence", FenceOperations::set);
    static final CommandKind<FenceCommand.Fences> READ_FENCES =
            fencing(FenceCommand.ReadFences.class, "readFences", FenceOperations::read);
    static final CommandKind<Long> SET_MIN_VERSION =
            fencing(FenceCommand.SetMinVersion.class, "setMinVersion", FenceOperations::setMinVersion);

    static final CommandKind<ScanPage> SLOT_KEYS =
            transfer(SlotTransfer.Keys.class, "slotKeys", SlotTransfer.Operations::keys);
    static final CommandKind<List<Piece>> EXPORT =
            transfer(SlotTransfer.Export.class, "export", SlotTransfer.Operations::export);
    static final CommandKind<Piece> EXPORT_REST =
            transfer(SlotTransfer.ExportRest.class, "export", SlotTransfer.Operations::exportRest);
    static final CommandKind<Boolean> IMPORT =
            transfer(SlotTransfer.Import.class, "import", SlotTransfer.Operations::importPieces);
    static final CommandKind<Boolean> PURGE =
            transfer(SlotTransfer.Purge.class, "purge", SlotTransfer.Operations::purge);
    static final CommandKind<List<SlotTransfer.Dirty>> READ_DIRTY =
            transfer(SlotTransfer.ReadDirty.class, "readDirty", SlotTransfer.Operations::readDirty);
    static final CommandKind<Boolean> FORGET_DIRTY =
            transfer(SlotTransfer.ForgetDirty.class, "forgetDirty", SlotTransfer.Operations::forgetDirty);
    static final CommandKind<List<Long>> WEIGHTS =
            transfer(SlotTransfer.Weights.class, "weights", SlotTransfer.Operations::weights);
    static final CommandKind<SlotTransfer.MemoryUse> MEMORY =
            transfer(SlotTransfer.Memory.class, "memory", SlotTransfer.Operations::memory);
    static final CommandKind<List<SlotTransfer.Peer>> LIST_CLIENTS =
            transfer(SlotTransfer.ListClients.class, "listClients", SlotTransfer.Operations::listClients);
    static final CommandKind<Long> DISMISS =
            transfer(SlotTransfer.Dismiss.class, "dismiss", SlotTransfer.Operations::dismiss);
    static final CommandKind<Boolean> NOTE = transfer(SlotTransfer.Note.class, "note", SlotTransfer.Operations::note);
    static final CommandKind<SlotTransfer.Noted> READ_NOTE =
            transfer(SlotTransfer.ReadNote.class, "readNote", SlotTransfer.Operations::readNote);

    static final CommandKind<Boolean> REPORT_TRAFFIC = repeatable(
            TrafficCommand.Report.class,
            "reportTraffic",
            (operations, command) -> operations.traffic().report(command));
    static final CommandKind<TrafficCommand.Reports> READ_TRAFFIC = reading(
            TrafficCommand.ReadReports.class,
            "readTraffic",
            (operations, command) -> operations.traffic().read(command));

    static final CommandKind<ReplicaCommand.Kept> KEEP_HEARTBEAT = repeatable(
            ReplicaCommand.KeepHeartbeat.class,
            "keepBeat",
            (operations, command) -> operations.replicas().keep(command));
    static final CommandKind<ReplicaCommand.Behind> READ_BEHIND = reading(
            ReplicaCommand.ReadBehind.class,
            "readBehind",
            (operations, command) -> operations.replicas().read(command));

    static final CommandKind<List<Reply<Lookup>>> BULK_GET = bulk("getAll", false);
    static final CommandKind<List<Reply<TrackedLookup>>> BULK_GET_TRACKED = bulk("getAll", false);
    static final CommandKind<List<Reply<Boolean>>> BULK_PUT = bulk("putAll", true);
    static final CommandKind<List<Reply<Boolean>>> BULK_REMOVE = bulk("removeAll", true);

    /** Returns the kind of a command that is split before it reaches an engine. */
    private static <R> CommandKind<R> bulk(String name, boolean isWrite) {
        return new CommandKind<>(name, false, isWrite, (operations, command) -> {
            throw new IllegalArgumentException(name + " was not split by partition");
        });
    }

    private static <C extends Command<R>, R> CommandKind<R> reading(
            Class<C> type, String name, BiFunction<PartitionOperations, C, CompletableFuture<Reply<R>>> operation) {
        return new CommandKind<>(name, true, false, operation(type, operation));
    }

    private static <C extends Command<R>, R> CommandKind<R> repeatable(
            Class<C> type, String name, BiFunction<PartitionOperations, C, CompletableFuture<Reply<R>>> operation) {
        return new CommandKind<>(name, true, true, operation(type, operation));
    }

    private static <C extends Command<R>, R> CommandKind<R> once(
            Class<C> type, String name, BiFunction<PartitionOperations, C, CompletableFuture<Reply<R>>> operation) {
        return new CommandKind<>(name, false, true, operation(type, operation));
    }

    private static <C extends Command<R>, R>
            BiFunction<PartitionOperations, Command<R>, CompletableFuture<Reply<R>>> operation(
                    Class<C> type, BiFunction<PartitionOperations, C, CompletableFuture<Reply<R>>> operation) {
        return (operations, command) -> operation.apply(operations, type.cast(command));
    }

    private static <C extends GroupListing<R>, R> CommandKind<R> listing(
            Class<C> type, String name, BiFunction<GroupDirectory, C, CompletableFuture<Reply<R>>> operation) {
        return reading(type, name, (operations, command) -> operation.apply(operations.directory(), command));
    }

    private static <C extends GroupListing<R>, R> CommandKind<R> relisting(
            Class<C> type, String name, BiFunction<GroupDirectory, C, CompletableFuture<Reply<R>>> operation) {
        return repeatable(type, name, (operations, command) -> operation.apply(operations.directory(), command));
    }

    private static <C extends FenceCommand<R>, R> CommandKind<R> fencing(
            Class<C> type, String name, BiFunction<FenceOperations, C, CompletableFuture<Reply<R>>> operation) {
        return repeatable(type, name, (operations, command) -> operation.apply(operations.fences(), command));
    }

    private static <C extends SlotTransfer<R>, R> CommandKind<R> transfer(
            Class<C> type, String name, BiFunction<SlotTransfer.Operations, C, CompletableFuture<Reply<R>>> operation) {
        return repeatable(type, name, (operations, command) -> operation.apply(operations.transfer(), command));
    }
}
