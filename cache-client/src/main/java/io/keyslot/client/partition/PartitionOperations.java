// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Lookup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The engine's operations, one for each kind of {@link Command}. They neither throw nor block. */
public interface PartitionOperations {
    CompletableFuture<Reply<Lookup>> get(Command.Get command);

    CompletableFuture<Reply<TrackedLookup>> getTracked(Command.GetTracked command);

    CompletableFuture<Reply<List<TrackedLookup>>> getAllTracked(Command.GetAllTracked command);

    CompletableFuture<Reply<List<Lookup>>> getAll(Command.GetAll command);

    CompletableFuture<Reply<Lookup>> getAndExpire(Command.GetAndExpire command);

    CompletableFuture<Reply<Boolean>> put(Command.Put command);

    CompletableFuture<Reply<List<Reply<Boolean>>>> putAll(Command.PutAll command);

    CompletableFuture<Reply<Boolean>> compareAndSet(Command.CompareAndSet command);

    CompletableFuture<Reply<Boolean>> compareAndRemove(Command.CompareAndRemove command);

    CompletableFuture<Reply<Boolean>> compareAndExpire(Command.CompareAndExpire command);

    CompletableFuture<Reply<Lookup>> lease(Command.Lease command);

    CompletableFuture<Reply<Boolean>> claim(Command.Claim command);

    CompletableFuture<Reply<Reservation>> reserve(Command.Reserve command);

    CompletableFuture<Reply<Boolean>> giveBack(Command.GiveBack command);

    CompletableFuture<Reply<Boolean>> newEpoch(Command.NewEpoch command);

    CompletableFuture<Reply<Lookup>> getAndRemove(Command.GetAndRemove command);

    CompletableFuture<Reply<Long>> removeAll(Command.RemoveAll command);

    CompletableFuture<Reply<ScanPage>> scan(Command.Scan command);

    CompletableFuture<Reply<Description>> describe(Command.Describe command);

    CompletableFuture<Reply<Optional<ServedSlots>>> served(Command.Served command);

    CompletableFuture<Reply<List<Long>>> sizes(Command.Sizes command);

    CompletableFuture<Reply<Boolean>> track(PushCommand.Track command);

    CompletableFuture<Reply<Boolean>> subscribe(PushCommand.Subscribe command);

    CompletableFuture<Reply<Long>> publish(PushCommand.Publish command);

    CompletableFuture<Reply<GroupReply>> group(GroupCommand command);

    GroupDirectory directory();

    FenceOperations fences();

    SlotTransfer.Operations transfer();

    RegisterCommand.Operations register();

    TrafficCommand.Operations traffic();

    ReplicaCommand.Operations replicas();

    CompletableFuture<Reply<Long>> lock(LockCommand.Lock command);

    CompletableFuture<Reply<Boolean>> renewLock(LockCommand.RenewLock command);

    CompletableFuture<Reply<Boolean>> unlock(LockCommand.Unlock command);
}
