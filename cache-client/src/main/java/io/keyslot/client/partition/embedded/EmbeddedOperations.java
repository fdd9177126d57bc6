// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Description;
import io.keyslot.client.partition.FenceOperations;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupDirectory;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.PartitionOperations;
import io.keyslot.client.partition.PushCommand;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Reservation;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.ServedSlots;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.TrackedLookup;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.embedded.StoredEntries.Change;
import io.keyslot.client.partition.embedded.StoredEntries.Decision;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Executes commands on the entries of one incarnation, at once and on the caller's thread. */
final class EmbeddedOperations implements PartitionOperations {
    private static final Reply<Boolean> STORED = Reply.done(true);
    private static final Reply<Boolean> NOT_STORED = Reply.done(false);

    /** Stores no reports, because the clients are in this process and send none. */
    private static final TrafficCommand.Operations NO_TRAFFIC = new TrafficCommand.Operations() {
        @Override
        public CompletableFuture<Reply<Boolean>> report(TrafficCommand.Report command) {
            return done(false);
        }

        @Override
        public CompletableFuture<Reply<TrafficCommand.Reports>> read(TrafficCommand.ReadReports command) {
            return done(new TrafficCommand.Reports(List.of(), true));
        }
    };

    private final StoredEntries entries;
    private final EntryForm form;
    private final GroupIndexes indexes;
    private final EmbeddedEffects effects;
    private final GroupDirectory directory;
    private final EmbeddedLocks locks;
    private final BooleanSupplier newEpoch;
    private final EmbeddedPushes pushes;
    private final EmbeddedTechnical technical;

    /** Creates operations; the supplier begins a new epoch, and returns false if this one has ended already. */
    EmbeddedOperations(
            EmbeddedIncarnation incarnation,
            BooleanSupplier newEpoch,
            EmbeddedPushes pushes,
            EmbeddedTransfer.Peers peers) {
        this(
                incarnation.entries(),
                incarnation.epoch(),
                newEpoch,
                pushes,
                Map.of(),
                new EmbeddedTechnical(
                        new EmbeddedTransfer(incarnation.entries(), incarnation.epoch(), peers),
                        incarnation.register()));
    }

    EmbeddedOperations(
            StoredEntries entries,
            int epoch,
            BooleanSupplier newEpoch,
            EmbeddedPushes pushes,
            Map<String, EmbeddedEffects.Kind> others,
            EmbeddedTechnical technical) {
        this.entries = entries;
        this.form = new EntryForm(epoch);
        this.indexes = new GroupIndexes(entries, epoch);
        Map<String, EmbeddedEffects.Kind> kinds = new HashMap<>(others);
        kinds.put("indexed", indexes);
        this.effects = new EmbeddedEffects(kinds);
        this.directory = new EmbeddedDirectory(entries, form, indexes);
        this.locks = new EmbeddedLocks(entries, epoch);
        this.newEpoch = newEpoch;
        this.pushes = pushes;
        this.technical = technical;
    }

    @Override
    public CompletableFuture<Reply<Lookup>> get(Command.Get command) {
        pushes.expire();
        return done(find(command.key()));
    }

    @Override
    public CompletableFuture<Reply<TrackedLookup>> getTracked(Command.GetTracked command) {
        return pushes.isOfAsked() ? done(findTracked(command.key())) : untracked();
    }

    @Override
    public CompletableFuture<Reply<List<TrackedLookup>>> getAllTracked(Command.GetAllTracked command) {
        return pushes.isOfAsked()
                ? done(command.keys().stream().map(this::findTracked).toList())
                : untracked();
    }

    private static <R> CompletableFuture<Reply<R>> untracked() {
        return CompletableFuture.completedFuture(
                Reply.refused(Refusal.FORBIDDEN, "this connection is not told of what tracked reads read"));
    }

    @Override
    public CompletableFuture<Reply<List<Lookup>>> getAll(Command.GetAll command) {
        return done(command.keys().stream().map(this::find).toList());
    }

    @Override
    public CompletableFuture<Reply<Lookup>> getAndExpire(Command.GetAndExpire command) {
        return done(entries.change(command.key(), present -> {
            Lookup lookup = read(command.key(), present);
            boolean isToExpire = lookup.isFound() && !lookup.isReserved();
            return new Change<>(lookup, isToExpire ? expiring(present, command.expiry()) : present);
        }));
    }

    @Override
    public CompletableFuture<Reply<Boolean>> put(Command.Put command) {
        return CompletableFuture.completedFuture(store(command));
    }

    @Override
    public CompletableFuture<Reply<List<Reply<Boolean>>>> putAll(Command.PutAll command) {
        return done(command.puts().stream().map(this::store).toList());
    }

    private Reply<Boolean> store(Command.Put put) {
        EncodedKey key = put.key();
        return change(
                key,
                put.envelope(),
                present -> form.isForeign(key, present)
                        ? new Change<>(ofForeign(), present)
                        : new Change<>(
                                STORED,
                                form.put(
                                        key,
                                        put.envelope(),
                                        present,
                                        put.onCreation(),
                                        put.onUpdate(),
                                        entries.nowNanos())));
    }

    /** Stores the decided value, with the effects of the key if it is an entry. */
    private Reply<Boolean> change(EncodedKey key, Envelope envelope, Decision<Reply<Boolean>> decision) {
        if (key.effects().isNone() || !envelope.isEntry()) {
            return entries.change(key, decision);
        }
        return entries.together(key.slot(), () -> {
            Reply<Boolean> reply = entries.change(key, decision);
            EmbeddedEntry stored = reply.equals(STORED) ? entries.find(key) : null;
            if (stored != null) {
                effects.stored(key, stored);
            }
            return reply;
        });
    }

    /** Removes an entry if decided, with the effects of the key. */
    private <R> R removing(EncodedKey key, Decision<R> decision) {
        if (key.effects().isNone()) {
            return entries.change(key, decision);
        }
        return entries.together(key.slot(), () -> {
            boolean wasThere = entries.find(key) != null;
            R answer = entries.change(key, decision);
            if (wasThere && entries.find(key) == null) {
                effects.removed(key);
            }
            return answer;
        });
    }

    @Override
    public CompletableFuture<Reply<Boolean>> compareAndSet(Command.CompareAndSet command) {
        boolean expectsNothing = command.expectedStamp() == Command.ABSENT;
        return CompletableFuture.completedFuture(change(command.key(), command.envelope(), present -> {
            if (expectsNothing && form.isForeign(command.key(), present)) {
                return new Change<>(ofForeign(), present);
            }
            Lookup lookup = read(command.key(), present);
            if ((expectsNothing && lookup.isReserved()) || !isExpected(lookup, command.expectedStamp())) {
                return new Change<>(NOT_STORED, present);
            }
            EmbeddedEntry before = lookup.isFound() ? present : null;
            return new Change<>(STORED, stored(command.key(), command.envelope(), before, command.expiry()));
        }));
    }

    /** Refuses to replace a value that is no entry, like a server with foreign keys. */
    private static <R> Reply<R> ofForeign() {
        return Reply.refused(Refusal.FORBIDDEN, "under this key there is something that is no entry");
    }

    @Override
    public CompletableFuture<Reply<Boolean>> compareAndRemove(Command.CompareAndRemove command) {
        return done(removing(
                command.key(),
                present -> isExpected(read(command.key(), present), command.expectedStamp())
                        ? new Change<>(true, form.isForeign(command.key(), present) ? present : null)
                        : new Change<>(false, present)));
    }

    @Override
    public CompletableFuture<Reply<Boolean>> compareAndExpire(Command.CompareAndExpire command) {
        return done(entries.change(
                command.key(),
                present -> hasStamp(read(command.key(), present), command.expectedStamp())
                        ? new Change<>(true, expiring(present, command.expiry()))
                        : new Change<>(false, present)));
    }

    @Override
    public CompletableFuture<Reply<Lookup>> lease(Command.Lease command) {
        return done(entries.change(command.key(), present -> {
            Lookup lookup = read(command.key(), present);
            boolean isFree = lookup.outcome() == Lookup.Outcome.ABSENT
                    || lookup.outcome().isUnreadable();
            if (!isFree || form.isForeign(command.key(), present)) {
                return new Change<>(lookup, present);
            }
            Envelope lease = Envelope.lease(command.stamp());
            return new Change<>(Lookup.leased(command.stamp()), stored(command.key(), lease, null, command.expiry()));
        }));
    }

    @Override
    public CompletableFuture<Reply<Boolean>> claim(Command.Claim command) {
        return done(entries.change(command.key(), present -> {
            Envelope found = read(command.key(), present).envelope();
            if (present == null || found == null || found.freshUntilMillis() == 0 || found.isReserved()) {
                return new Change<>(false, present);
            }
            if (found.stamp() != command.expectedStamp()) {
                // A repeated claim, whose first answer was lost, succeeds too.
                return new Change<>(found.stamp() == command.newStamp(), present);
            }
            byte[] claimed = Envelope.claimed(present.bytes(), command.newStamp(), command.freshUntilMillis());
            return new Change<>(true, present.withBytes(claimed));
        }));
    }

    @Override
    public CompletableFuture<Reply<Reservation>> reserve(Command.Reserve command) {
        boolean storesAnyway =
                command.expectedStamp() == Command.ABSENT || command.expectedStamp() == Command.Reserve.ANY;
        return CompletableFuture.completedFuture(entries.change(command.key(), present -> {
            if (storesAnyway && form.isForeign(command.key(), present)) {
                return new Change<>(ofForeign(), present);
            }
            Lookup lookup = read(command.key(), present);
            long left = present == null || !lookup.isFound() ? -1 : present.millisLeft(entries.nowNanos());
            if (lookup.isReserved() || !isReservable(lookup, command.expectedStamp())) {
                return new Change<>(Reply.done(new Reservation(lookup, left)), present);
            }
            EmbeddedEntry reserved = reserved(command, lookup.isFound() ? present : null, left);
            return new Change<>(Reply.done(new Reservation(read(command.key(), reserved), left)), reserved);
        }));
    }

    private static boolean isReservable(Lookup lookup, long expected) {
        return expected == Command.Reserve.ANY || isExpected(lookup, expected);
    }

    private EmbeddedEntry reserved(Command.Reserve command, @Nullable EmbeddedEntry entry, long left) {
        Expiry lasting = Expiry.afterMillis(
                Math.max(1, left < 0 ? command.lastsMillis() : Math.min(left, command.lastsMillis())));
        if (entry == null) {
            return stored(command.key(), Envelope.reservation(command.stamp()), null, lasting);
        }
        return entry.withBytes(Envelope.reserved(entry.bytes(), command.stamp()))
                .expiring(lasting, entries.nowNanos());
    }

    @Override
    public CompletableFuture<Reply<Boolean>> giveBack(Command.GiveBack command) {
        return done(entries.change(command.key(), present -> {
            Lookup lookup = read(command.key(), present);
            if (present == null || !lookup.isReserved() || lookup.mark() != command.expectedStamp()) {
                return new Change<>(false, present);
            }
            if (!lookup.isFound()) {
                return new Change<>(true, null);
            }
            EmbeddedEntry free = present.withBytes(Envelope.givenBack(present.bytes(), command.newStamp()));
            return new Change<>(true, free.expiring(command.expiry(), entries.nowNanos()));
        }));
    }

    @Override
    public CompletableFuture<Reply<Boolean>> newEpoch(Command.NewEpoch command) {
        return newEpoch.getAsBoolean()
                ? done(true)
                : CompletableFuture.completedFuture(Reply.refused(Refusal.UNAVAILABLE, "the partition was taken away"));
    }

    @Override
    public CompletableFuture<Reply<Lookup>> getAndRemove(Command.GetAndRemove command) {
        return done(removing(
                command.key(),
                present -> new Change<>(
                        read(command.key(), present), form.isForeign(command.key(), present) ? present : null)));
    }

    @Override
    public CompletableFuture<Reply<Long>> removeAll(Command.RemoveAll command) {
        return done(command.keys().stream().filter(this::remove).count());
    }

    private boolean remove(EncodedKey key) {
        return removing(
                key,
                present -> form.isForeign(key, present)
                        ? new Change<>(false, present)
                        : new Change<>(present != null, null));
    }

    @Override
    public CompletableFuture<Reply<ScanPage>> scan(Command.Scan command) {
        return CompletableFuture.completedFuture(EmbeddedScan.page(entries, command));
    }

    @Override
    public CompletableFuture<Reply<Optional<ServedSlots>>> served(Command.Served command) {
        return done(Optional.empty());
    }

    @Override
    public CompletableFuture<Reply<Description>> describe(Command.Describe command) {
        EmbeddedEntry entry = entries.find(command.key());
        long expiresInMillis = entry == null ? -1 : entry.millisLeft(entries.nowNanos());
        return done(new Description(read(command.key(), entry), size(entry), expiresInMillis, form.epoch()));
    }

    @Override
    public CompletableFuture<Reply<Boolean>> track(PushCommand.Track command) {
        return CompletableFuture.completedFuture(pushes.track(command));
    }

    @Override
    public CompletableFuture<Reply<Boolean>> subscribe(PushCommand.Subscribe command) {
        return CompletableFuture.completedFuture(pushes.subscribe(command));
    }

    @Override
    public CompletableFuture<Reply<Long>> publish(PushCommand.Publish command) {
        return done(pushes.publish(command));
    }

    @Override
    public CompletableFuture<Reply<List<Long>>> sizes(Command.Sizes command) {
        return done(command.keys().stream().map(key -> size(entries.find(key))).toList());
    }

    @Override
    public CompletableFuture<Reply<GroupReply>> group(GroupCommand command) {
        return done(entries.together(
                command.home().slot(),
                () -> new GroupExecution(command, form, new GroupMembers(entries, form, indexes, effects)).run()));
    }

    @Override
    public TrafficCommand.Operations traffic() {
        return NO_TRAFFIC;
    }

    @Override
    public ReplicaCommand.Operations replicas() {
        return new EmbeddedReplicas();
    }

    @Override
    public RegisterCommand.Operations register() {
        return command -> done(technical.register().ask(command));
    }

    @Override
    public GroupDirectory directory() {
        return directory;
    }

    @Override
    public SlotTransfer.Operations transfer() {
        return technical.transfer();
    }

    private Lookup find(EncodedKey key) {
        return pushes.notesReads()
                ? entries.together(key.slot(), () -> noteAndFind(key).lookup())
                : read(key, entries.find(key));
    }

    private TrackedLookup findTracked(EncodedKey key) {
        return entries.together(key.slot(), () -> noteAndFind(key));
    }

    private TrackedLookup noteAndFind(EncodedKey key) {
        pushes.note(key);
        EmbeddedEntry entry = entries.find(key);
        Lookup lookup = read(key, entry);
        return entry == null
                ? TrackedLookup.passing(lookup)
                : TrackedLookup.lasting(lookup, entry.millisLeft(entries.nowNanos()));
    }

    private Lookup read(EncodedKey key, @Nullable EmbeddedEntry entry) {
        return form.read(key, entry);
    }

    private static boolean isExpected(Lookup lookup, long stamp) {
        return stamp == Command.ABSENT ? !lookup.isFound() : hasStamp(lookup, stamp);
    }

    private static boolean hasStamp(Lookup lookup, long stamp) {
        return stamp != Command.ABSENT && (lookup.stamp() == stamp || lookup.leaseStamp() == stamp);
    }

    private EmbeddedEntry stored(EncodedKey key, Envelope envelope, @Nullable EmbeddedEntry before, Expiry expiry) {
        return form.entry(key, envelope, before, expiry, entries.nowNanos());
    }

    private @Nullable EmbeddedEntry expiring(@Nullable EmbeddedEntry entry, Expiry expiry) {
        return entry == null ? null : entry.expiring(expiry, entries.nowNanos());
    }

    private static long size(@Nullable EmbeddedEntry entry) {
        return entry == null ? 0 : entry.sizeBytes();
    }

    private static <R> CompletableFuture<Reply<R>> done(R answer) {
        return CompletableFuture.completedFuture(Reply.done(answer));
    }

    @Override
    public FenceOperations fences() {
        return entries.fences();
    }

    @Override
    public CompletableFuture<Reply<Long>> lock(LockCommand.Lock command) {
        return done(locks.lock(command));
    }

    @Override
    public CompletableFuture<Reply<Boolean>> renewLock(LockCommand.RenewLock command) {
        return done(locks.renew(command));
    }

    @Override
    public CompletableFuture<Reply<Boolean>> unlock(LockCommand.Unlock command) {
        return done(locks.unlock(command));
    }
}
