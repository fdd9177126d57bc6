// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.loading;

import io.keyslot.cache.failure.CallInterruptedException;
import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.statistics.LoadCause;
import io.keyslot.client.time.CallBudget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads many entries with one call of the loader, by the rules of {@link Loading}: what another thread or process is loading
 * already is not asked for, but waited for afterwards, one after the other.
 */
public final class BulkLoading<K, V> {
    private final EntryStore<V> store;
    private final LoadPlaces<V> places;
    private final Fills<K, V> fills;
    private final LoaderDoor<K, V> door;
    private final ReadPolicy policy;
    private final Loading<K, V> single;

    public BulkLoading(
            EntryStore<V> store,
            LoadPlaces<V> places,
            Fills<K, V> fills,
            LoaderDoor<K, V> door,
            ReadPolicy policy,
            Loading<K, V> single) {
        this.store = store;
        this.places = places;
        this.fills = fills;
        this.door = door;
        this.policy = policy;
        this.single = single;
    }

    /** Returns what loads one entry. */
    public Loading<K, V> single() {
        return single;
    }

    /**
     * An entry to be loaded.
     *
     * @param seen what a read found: nothing, or what is to be replaced
     */
    public record Wanted<K, V>(K key, EncodedKey encoded, Answer<V> seen) {}

    /**
     * Returns the values; keys without one are left out. Where the loader fails, stale values stand in if they may.
     *
     * @param budget what is left of the call's time for partitions
     * @throws javax.cache.integration.CacheLoaderException if the loader fails
     */
    public Map<K, V> load(List<Wanted<K, V>> wanted, CallBudget budget) {
        return load(wanted, budget, true);
    }

    /** As {@link #load(List, CallBudget)}; that the loader failed is told in any case. */
    void loadOrThrow(List<Wanted<K, V>> wanted, CallBudget budget) {
        load(wanted, budget, false);
    }

    private Map<K, V> load(List<Wanted<K, V>> wanted, CallBudget budget, boolean mayBeStale) {
        wanted.forEach(each -> door.checkNotWithin(each.key()));
        Map<K, V> values = new LinkedHashMap<>();
        List<Seat<K, V>> seats = new ArrayList<>();
        try {
            for (Wanted<K, V> each : wanted) {
                seats.add(new Seat<>(
                        each, places.flights().board(each.encoded(), each.seen().mark())));
            }
            fly(seats.stream().filter(Seat::isLed).toList(), values, budget, mayBeStale);
            finish(seats, values, budget);
        } finally {
            seats.forEach(this::landUnknown);
        }
        return values;
    }

    /**
     * Waits for what others load. First what another process loads and others here wait for, then what follows a flight
     * of another thread: in one order for all threads, so that no two of them wait for each other. Nobody waits for this
     * thread any more when it waits for the rest.
     */
    private void finish(List<Seat<K, V>> seats, Map<K, V> values, CallBudget budget) {
        List<Seat<K, V>> others = new ArrayList<>(seats);
        others.removeIf(seat -> seat.isDone);
        others.sort(Comparator.<Seat<K, V>, Boarding.Role>comparing(seat -> seat.boarding.role())
                .thenComparing(seat -> seat.wanted.encoded().text()));
        for (Seat<K, V> seat : others) {
            V value = single.finish(seat.wanted.key(), seat.wanted.encoded(), seat.seen, seat.boarding, budget);
            if (value != null) {
                values.put(seat.wanted.key(), value);
            }
        }
    }

    /** Lands a flight that this thread leads and nobody landed. */
    private void landUnknown(Seat<K, V> seat) {
        if (seat.boarding.role() != Boarding.Role.JOIN
                && !seat.boarding.flight().landing().isDone()) {
            land(seat, Landing.unknown());
        }
    }

    private void land(Seat<K, V> seat, Landing<V> landing) {
        places.flights().land(seat.wanted.encoded(), seat.boarding.flight(), landing);
    }

    /** Loads what this thread leads, except for what another process is loading. */
    private void fly(List<Seat<K, V>> own, Map<K, V> values, CallBudget budget, boolean mayBeStale) {
        takePlaces(own, values, budget);
        List<Seat<K, V>> loading = own.stream().filter(seat -> seat.begins).toList();
        if (!loading.isEmpty()) {
            load(loading, values, budget, mayBeStale);
        }
    }

    /** Takes a lease for each entry that can have one, all at once. */
    private void takePlaces(List<Seat<K, V>> own, Map<K, V> values, CallBudget budget) {
        List<Seat<K, V>> asking = new ArrayList<>();
        List<Seat<K, V>> taking = new ArrayList<>();
        for (Seat<K, V> seat : own) {
            switch (seat.seen.kind()) {
                case FRESH, STALE -> seat.begin(seat.seen.stamp());
                case UNKNOWN -> seat.begin(0);
                case NEGATIVE -> askFor(seat, taking);
                case ABSENT, LEASED, OTHER_EPOCH, UNREADABLE -> askFor(seat, asking);
            }
        }
        takeLeases(taking, budget);
        askForLeases(asking, values, budget);
    }

    private void askFor(Seat<K, V> seat, List<Seat<K, V>> asking) {
        seat.boarding.flight().begin(0); // what is found now is not the answer to a read that comes later
        if (store.admitsLoad(seat.wanted.encoded())) {
            asking.add(seat);
        } else {
            seat.begin(0);
        }
    }

    /** Takes the places of what is known to have no value: it was asked for all the same. */
    private void takeLeases(List<Seat<K, V>> taking, CallBudget budget) {
        List<Command.Lease> leases = leasesFor(taking);
        List<Boolean> taken = store.leases().takeOver(leases, budget);
        for (int i = 0; i < taking.size(); i++) {
            if (taken.get(i)) {
                taking.get(i).beginUnderLease(leases.get(i).stamp(), places.leases());
            } else {
                taking.get(i).begin(0);
            }
        }
    }

    private void askForLeases(List<Seat<K, V>> asking, Map<K, V> values, CallBudget budget) {
        List<Command.Lease> leases = leasesFor(asking);
        List<Answer<V>> answers = store.leases().takeAll(leases, budget);
        if (Thread.currentThread().isInterrupted()) {
            store.leases().abandonAll(leases); // nobody will load under them
            answers.forEach(Answer::unlessInterrupted);
        }
        for (int i = 0; i < asking.size(); i++) {
            Seat<K, V> seat = asking.get(i);
            Answer<V> now = answers.get(i);
            if (now.leaseStamp() == leases.get(i).stamp()) {
                seat.beginUnderLease(now.leaseStamp(), places.leases());
            } else if (now.kind() == Answer.Kind.UNKNOWN) {
                seat.begin(0);
            } else if (now.isPresent()) {
                values.put(seat.wanted.key(), Objects.requireNonNull(now.value()));
                done(seat, Landing.of(now.value()));
            } else {
                seat.seen = now;
            }
        }
    }

    private List<Command.Lease> leasesFor(List<Seat<K, V>> seats) {
        return seats.stream()
                .map(seat -> new Command.Lease(seat.wanted.encoded(), store.newStamp(), LeaseRenewals.expiry()))
                .toList();
    }

    private void done(Seat<K, V> seat, Landing<V> landing) {
        seat.isDone = true;
        land(seat, landing);
    }

    private void load(List<Seat<K, V>> seats, Map<K, V> values, CallBudget budget, boolean mayBeStale) {
        Map<K, Loaded<V>> loaded = null;
        try {
            loaded = door.loadAll(keysOf(seats), causeOf(seats));
        } catch (CallInterruptedException e) {
            throw e; // that is for this thread alone
        } catch (RuntimeException e) {
            giveUp(seats, budget);
            seats.forEach(seat -> done(seat, Landing.failed(e)));
            staleInstead(seats, values, e, mayBeStale);
            return;
        } finally {
            if (loaded == null) {
                giveUp(seats, budget);
            }
        }
        store(seats, loaded, values, budget);
    }

    private void store(List<Seat<K, V>> seats, Map<K, Loaded<V>> loaded, Map<K, V> values, CallBudget budget) {
        List<Fills.Fill<K, V>> filled = new ArrayList<>();
        for (Seat<K, V> seat : seats) {
            Loaded<V> each = loaded.get(seat.wanted.key());
            // An entry that is there stays if there is nothing to replace it.
            if (seat.place != 0 && (each != null || !seat.seen.isPresent())) {
                Answer<V> before = seat.seen.isPresent() ? seat.seen : Answer.without(Answer.Kind.ABSENT);
                filled.add(new Fills.Fill<>(
                        seat.wanted.key(), seat.wanted.encoded(), before, seat.place, before.isPresent(), each));
            }
            if (each != null) {
                values.put(seat.wanted.key(), each.value());
            }
        }
        try {
            fills.fill(filled, budget);
        } finally {
            seats.forEach(seat -> {
                Loaded<V> each = loaded.get(seat.wanted.key());
                seat.letGo();
                done(seat, Landing.of(each == null ? null : each.value()));
            });
        }
    }

    private void giveUp(List<Seat<K, V>> seats, CallBudget budget) {
        List<Command.CompareAndRemove> releases = new ArrayList<>();
        for (Seat<K, V> seat : seats) {
            if (seat.letGo()) {
                releases.add(new Command.CompareAndRemove(seat.wanted.encoded(), seat.place));
            }
        }
        store.leases().releaseAll(releases, budget);
    }

    /** Serves the stale values if they may stand in for all that could not be loaded, or throws. */
    private void staleInstead(List<Seat<K, V>> seats, Map<K, V> values, RuntimeException failure, boolean mayBeStale) {
        for (Seat<K, V> seat : seats) {
            if (!mayBeStale || !policy.isServedOnError(seat.seen)) {
                throw failure;
            }
            values.put(seat.wanted.key(), Objects.requireNonNull(seat.seen.stored()));
            door.onStale(LoadCause.EXPIRED);
        }
    }

    private static <K, V> Set<K> keysOf(List<Seat<K, V>> seats) {
        Set<K> keys = new LinkedHashSet<>();
        seats.forEach(seat -> keys.add(seat.wanted.key()));
        return keys;
    }

    /** Returns the gravest cause: one call of the loader is counted once. */
    private static <K, V> LoadCause causeOf(List<Seat<K, V>> seats) {
        LoadCause cause = LoadCause.EXPIRED;
        for (Seat<K, V> seat : seats) {
            switch (seat.seen.kind()) {
                case UNKNOWN -> {
                    return LoadCause.MISSING_PARTITION;
                }
                case STALE -> {}
                default -> cause = LoadCause.MISS;
            }
        }
        return cause;
    }

    /** A flight that this call leads, follows or joins, and the place that the loaded value will take. */
    private static final class Seat<K, V> {
        private final Wanted<K, V> wanted;
        private final Boarding<V> boarding;

        /** What is in the entry's place, as far as is known. */
        private Answer<V> seen;

        private boolean begins;
        private boolean isDone;
        private long place;
        private LeaseRenewals.@Nullable Held held;

        Seat(Wanted<K, V> wanted, Boarding<V> boarding) {
            this.wanted = wanted;
            this.boarding = boarding;
            this.seen = wanted.seen();
        }

        boolean isLed() {
            return boarding.role() == Boarding.Role.LEAD;
        }

        /** The loader is called; what it gives is stored in place of what has this stamp, 0 for not at all. */
        void begin(long stamp) {
            begins = true;
            place = stamp;
            boarding.flight().begin(stamp);
        }

        void beginUnderLease(long lease, LeaseRenewals leases) {
            begin(lease);
            held = leases.hold(wanted.encoded(), lease);
        }

        /** Ends the renewal of the lease; returns whether there was one. */
        boolean letGo() {
            if (held == null) {
                return false;
            }
            held.close();
            held = null;
            return true;
        }
    }
}
