// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.Description;
import io.keyslot.client.partition.Command.Reservation;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FeedCommand.Kind;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.Handlers;
import io.keyslot.client.partition.LockCommand;
import io.keyslot.client.partition.QueueCommand;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.RegisterCommand;
import io.keyslot.client.partition.ReplicaCommand;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.embedded.EmbeddedPartition.Incarnation;
import io.keyslot.client.partition.embedded.StoredEntries.Change;
import io.keyslot.client.partition.embedded.StoredEntries.Decision;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Lookup;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes the commands of one connection, at once and on the caller's thread: those about entries here, the others by
 * other classes.
 */
final class EmbeddedOperations {
    private static final Handlers<EmbeddedOperations, Command<?>, Reply<?>> OTHERS = new Handlers<
                    EmbeddedOperations, Command<?>, Reply<?>>()
            .on(Command.GetAndExpire.class, EmbeddedOperations::getAndExpire)
            .on(Command.CompareAndRemove.class, EmbeddedOperations::compareAndRemove)
            .on(Command.CompareAndExpire.class, EmbeddedOperations::compareAndExpire)
            .on(Command.Lease.class, EmbeddedOperations::lease)
            .on(Command.Claim.class, EmbeddedOperations::claim)
            .on(Command.Reserve.class, EmbeddedOperations::reserve)
            .on(Command.GiveBack.class, EmbeddedOperations::giveBack)
            .on(Command.GetAndRemove.class, EmbeddedOperations::getAndRemove)
            .on(Command.Describe.class, EmbeddedOperations::describe)
            .on(
                    Command.RemoveAll.class,
                    (self, remove) -> Reply.done(
                            remove.keys().stream().filter(self::remove).count()))
            .on(
                    Command.Erase.class,
                    (self, erase) -> Reply.done(erase.keys().stream()
                            .filter(key -> self.removal(key, present -> new Change<>(present != null, null)))
                            .count()))
            .on(Command.Scan.class, EmbeddedOperations::scan)
            .on(Command.Served.class, (self, served) -> Reply.done(Optional.empty()))
            .on(
                    Command.NewEpoch.class,
                    (self, renewal) -> self.newEpoch.getAsBoolean()
                            ? Reply.done(true)
                            : Reply.refused(Refusal.UNAVAILABLE, "the partition was taken away"))
            .on(Command.Track.class, (self, track) -> self.pushes.track())
            .on(GroupListing.class, (self, listing) -> self.groups.execute(listing))
            .on(LockCommand.class, (self, lock) -> self.groups.execute(lock))
            .on(
                    QueueCommand.class,
                    (self, queue) ->
                            Reply.done(new EmbeddedQueue(self.entries, self.epoch, queue.home()).execute(queue)))
            .on(
                    FeedCommand.class,
                    (self, feed) -> Reply.done(self.entries.feeds().execute(feed)))
            .on(FenceCommand.class, (self, fence) -> self.entries.fences().execute(fence))
            .on(SlotTransfer.class, (self, move) -> self.transfer.execute(move))
            .on(RegisterCommand.class, (self, asked) -> Reply.done(self.register.ask(asked)))
            // The clients are in this process and send no reports.
            .on(TrafficCommand.Report.class, (self, report) -> Reply.done(false))
            .on(
                    TrafficCommand.ReadReports.class,
                    (self, read) -> Reply.done(new TrafficCommand.Reports(List.of(), true)))
            .on(
                    ReplicaCommand.class,
                    (self, replica) -> Reply.refused(Refusal.FORBIDDEN, "a partition in this process has no replicas"));

    private static final Reply<Boolean> STORED = Reply.done(true);
    private static final Reply<Boolean> NOT_STORED = Reply.done(false);

    private final StoredEntries entries;
    private final int epoch;
    private final EmbeddedGroups groups;
    private final EmbeddedTransfer transfer;
    private final EmbeddedRegister register;
    private final EmbeddedPushes pushes;
    private final BooleanSupplier newEpoch;

    /**
     * Creates the operations of the connection with this id.
     *
     * @param newEpoch begins a new epoch, and returns false if this one has ended already
     */
    EmbeddedOperations(
            Incarnation incarnation, BooleanSupplier newEpoch, EmbeddedPushes pushes, long id, String address) {
        this.entries = incarnation.entries();
        this.epoch = incarnation.epoch();
        this.groups = new EmbeddedGroups(entries, epoch);
        this.transfer = new EmbeddedTransfer(incarnation, id, address);
        this.register = incarnation.register();
        this.pushes = pushes;
        this.newEpoch = newEpoch;
    }

    /** Executes a command. */
    @SuppressWarnings("unchecked") // The reply is that of the command.
    <R> Reply<R> execute(Command<R> command) {
        return (Reply<R>) answer(command);
    }

    /** Tests for the frequent commands first. */
    private Reply<?> answer(Command<?> command) {
        if (command instanceof Command.Get get) {
            return Reply.done(find(get.key()));
        }
        if (command instanceof Command.Put put) {
            return store(put);
        }
        if (command instanceof Command.GetAll getAll) {
            return Reply.done(getAll.keys().stream().map(this::find).toList());
        }
        if (command instanceof Command.PutAll putAll) {
            return Reply.done(putAll.puts().stream().map(this::store).toList());
        }
        if (command instanceof Command.CompareAndSet set) {
            return compareAndSet(set);
        }
        if (command instanceof Command.GetTracked get) {
            return pushes.tracks() ? Reply.done(findTracked(get.key())) : untracked();
        }
        if (command instanceof Command.GetAllTracked getAll) {
            return pushes.tracks()
                    ? Reply.done(getAll.keys().stream().map(this::findTracked).toList())
                    : untracked();
        }
        if (command instanceof GroupCommand group) {
            return Reply.done(entries.together(
                    group.home().slot(), () -> new GroupExecution(group, entries, epoch, groups).run()));
        }
        return OTHERS.answer(this, command);
    }

    private Reply<ScanPage> scan(Command.Scan scan) {
        byte[] prefix = scan.prefix().getBytes(StandardCharsets.UTF_8);
        return entries.page(
                scan.cursor(),
                scan.count(),
                key -> startsWith(key.bytes(), prefix)
                        && key.text().indexOf(scan.infix(), scan.prefix().length()) >= 0);
    }

    private static Reply<?> untracked() {
        return Reply.refused(Refusal.FORBIDDEN, "this connection receives no invalidations for tracked reads");
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    private Reply<Lookup> getAndExpire(Command.GetAndExpire command) {
        return Reply.done(entries.change(command.key(), present -> {
            Lookup lookup = read(command.key(), present);
            boolean isToExpire = lookup.isFound() && !lookup.isReserved();
            return new Change<>(lookup, isToExpire ? expiring(present, command.expiry()) : present);
        }));
    }

    private Reply<Boolean> store(Command.Put put) {
        EncodedKey key = put.key();
        return change(
                key,
                put.envelope(),
                present -> isForeign(key, present)
                        ? new Change<>(ofForeign(), present)
                        : new Change<>(
                                STORED,
                                EmbeddedEntry.put(
                                        key,
                                        put.envelope(),
                                        epoch,
                                        present,
                                        put.onCreation(),
                                        put.onUpdate(),
                                        entries.nowNanos())));
    }

    /** Stores the decided value, appends it to its feed, and lists it in the index of its group if it is an entry. */
    private Reply<Boolean> change(EncodedKey key, Envelope envelope, Decision<Reply<Boolean>> decision) {
        if (!key.hasEffects()) {
            return entries.change(key, decision);
        }
        return entries.together(key.slot(), () -> {
            Reply<Boolean> reply = entries.change(key, decision);
            if (reply.equals(STORED)) {
                entries.feeds().append(key, Kind.PUT, envelope.stamp(), envelope);
                EmbeddedEntry stored = key.isIndexed() && envelope.isEntry() ? entries.find(key) : null;
                if (stored != null) {
                    groups.listEntry(key, stored);
                }
            }
            return reply;
        });
    }

    /** Removes the value if that is decided, and appends the removal of an entry to its feed. */
    private <R> R removal(EncodedKey key, Decision<R> decision) {
        if (key.feed() == null) {
            return entries.change(key, decision);
        }
        return entries.together(key.slot(), () -> {
            Lookup before = find(key);
            R answer = entries.change(key, decision);
            if (before.isFound() && entries.find(key) == null) {
                entries.feeds().append(key, Kind.REMOVE, before.stamp(), null);
            }
            return answer;
        });
    }

    private Reply<Boolean> compareAndSet(Command.CompareAndSet command) {
        boolean expectsNothing = command.expectedStamp() == Command.ABSENT;
        return change(command.key(), command.envelope(), present -> {
            if (expectsNothing && isForeign(command.key(), present)) {
                return new Change<>(ofForeign(), present);
            }
            Lookup lookup = read(command.key(), present);
            if ((expectsNothing && lookup.isReserved()) || !isExpected(lookup, command.expectedStamp())) {
                return new Change<>(NOT_STORED, present);
            }
            EmbeddedEntry before = lookup.isFound() ? present : null;
            return new Change<>(STORED, stored(command.key(), command.envelope(), before, command.expiry()));
        });
    }

    /** Refuses to replace a value that is no entry, like a server with foreign keys. */
    private static <R> Reply<R> ofForeign() {
        return Reply.refused(Refusal.FORBIDDEN, "under this key there is something that is no entry");
    }

    private Reply<Boolean> compareAndRemove(Command.CompareAndRemove command) {
        return Reply.done(removal(
                command.key(),
                present -> isExpected(read(command.key(), present), command.expectedStamp())
                        ? new Change<>(true, isForeign(command.key(), present) ? present : null)
                        : new Change<>(false, present)));
    }

    private Reply<Boolean> compareAndExpire(Command.CompareAndExpire command) {
        return Reply.done(entries.change(
                command.key(),
                present -> hasStamp(read(command.key(), present), command.expectedStamp())
                        ? new Change<>(true, expiring(present, command.expiry()))
                        : new Change<>(false, present)));
    }

    private Reply<Lookup> lease(Command.Lease command) {
        return Reply.done(entries.change(command.key(), present -> {
            Lookup lookup = read(command.key(), present);
            boolean isFree = lookup.outcome() == Lookup.Outcome.ABSENT
                    || lookup.outcome().isUnreadable();
            if (!isFree || isForeign(command.key(), present)) {
                return new Change<>(lookup, present);
            }
            Envelope lease = Envelope.lease(command.stamp());
            return new Change<>(Lookup.leased(command.stamp()), stored(command.key(), lease, null, command.expiry()));
        }));
    }

    private Reply<Boolean> claim(Command.Claim command) {
        return Reply.done(entries.change(command.key(), present -> {
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

    private Reply<Reservation> reserve(Command.Reserve command) {
        boolean storesAnyway =
                command.expectedStamp() == Command.ABSENT || command.expectedStamp() == Command.Reserve.ANY;
        return entries.change(command.key(), present -> {
            if (storesAnyway && isForeign(command.key(), present)) {
                return new Change<>(ofForeign(), present);
            }
            Lookup lookup = read(command.key(), present);
            long left = present == null || !lookup.isFound() ? -1 : present.millisLeft(entries.nowNanos());
            if (lookup.isReserved() || !isReservable(lookup, command.expectedStamp())) {
                return new Change<>(Reply.done(new Reservation(lookup, left)), present);
            }
            EmbeddedEntry reserved = reserved(command, lookup.isFound() ? present : null, left);
            return new Change<>(Reply.done(new Reservation(read(command.key(), reserved), left)), reserved);
        });
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

    private Reply<Boolean> giveBack(Command.GiveBack command) {
        return Reply.done(entries.change(command.key(), present -> {
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

    private Reply<Lookup> getAndRemove(Command.GetAndRemove command) {
        return Reply.done(removal(
                command.key(),
                present -> new Change<>(
                        read(command.key(), present), isForeign(command.key(), present) ? present : null)));
    }

    private boolean remove(EncodedKey key) {
        return removal(
                key,
                present ->
                        isForeign(key, present) ? new Change<>(false, present) : new Change<>(present != null, null));
    }

    private Reply<Description> describe(Command.Describe command) {
        EmbeddedEntry entry = entries.find(command.key());
        long expiresInMillis = entry == null ? -1 : entry.millisLeft(entries.nowNanos());
        return Reply.done(new Description(
                read(command.key(), entry), entry == null ? 0 : entry.sizeBytes(), expiresInMillis, epoch));
    }

    private Lookup find(EncodedKey key) {
        return read(key, entries.find(key));
    }

    private TrackedLookup findTracked(EncodedKey key) {
        return entries.together(key.slot(), () -> {
            pushes.note(key);
            EmbeddedEntry entry = entries.find(key);
            Lookup lookup = read(key, entry);
            return entry == null
                    ? TrackedLookup.passing(lookup)
                    : TrackedLookup.lasting(lookup, entry.millisLeft(entries.nowNanos()));
        });
    }

    private Lookup read(EncodedKey key, @Nullable EmbeddedEntry entry) {
        return entry == null ? Lookup.absent() : entry.read(key, epoch);
    }

    private static boolean isForeign(EncodedKey key, @Nullable EmbeddedEntry entry) {
        return entry != null && entry.isForeign(key);
    }

    private static boolean isExpected(Lookup lookup, long stamp) {
        return stamp == Command.ABSENT ? !lookup.isFound() : hasStamp(lookup, stamp);
    }

    private static boolean hasStamp(Lookup lookup, long stamp) {
        return stamp != Command.ABSENT && (lookup.stamp() == stamp || lookup.leaseStamp() == stamp);
    }

    private EmbeddedEntry stored(EncodedKey key, Envelope envelope, @Nullable EmbeddedEntry before, Expiry expiry) {
        return EmbeddedEntry.of(key, envelope, epoch, before, expiry, entries.nowNanos());
    }

    private @Nullable EmbeddedEntry expiring(@Nullable EmbeddedEntry entry, Expiry expiry) {
        return entry == null ? null : entry.expiring(expiry, entries.nowNanos());
    }
}
