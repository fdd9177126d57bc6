// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.entry.Answer;
import io.keyslot.client.entry.CallBudget;
import io.keyslot.client.loading.Boarding;
import io.keyslot.client.loading.Landing;
import io.keyslot.client.loading.Leases;
import io.keyslot.client.loading.LoadCause;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.EncodedKey;
import java.util.ArrayList;
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
final class BulkLoading<K, V> {
    private final CacheParts<K, V> parts;
    private final Fills<K, V> fills;
    private final LoaderDoor<K, V> door;
    private final Loading<K, V> single;

    BulkLoading(CacheParts<K, V> parts, Fills<K, V> fills, LoaderDoor<K, V> door, Loading<K, V> single) {
        this.parts = parts;
        this.fills = fills;
        this.door = door;
        this.single = single;
    }

    /**
     * An entry to be loaded.
     *
     * @param seen what a read found: nothing, or what is to be replaced
     */
    record Wanted<K, V>(K key, EncodedKey encoded, Answer<V> seen) {}

    /**
     * Returns the values; keys without one are left out.
     *
     * @param budget what is left of the call's time for partitions
     */
    Map<K, V> load(List<Wanted<K, V>> wanted, CallBudget budget) {
        Map<K, V> values = new LinkedHashMap<>();
        List<Seat<K, V>> own = new ArrayList<>();
        List<Seat<K, V>> others = new ArrayList<>();
        for (Wanted<K, V> each : wanted) {
            Boarding<V> boarding =
                    parts.loading().flights().board(each.encoded(), each.seen().mark());
            Seat<K, V> seat = new Seat<>(each, boarding);
            (boarding.role() == Boarding.Role.LEAD ? own : others).add(seat);
        }
        try {
            others.addAll(fly(own, values, budget));
        } catch (RuntimeException | Error e) {
            own.forEach(this::landUnknown);
            others.forEach(this::landUnknown);
            throw e;
        }
        finish(others, values, budget);
        return values;
    }

    /** Waits for what others load; if one fails, the flights that others wait for still land. */
    private void finish(List<Seat<K, V>> others, Map<K, V> values, CallBudget budget) {
        int finished = 0;
        try {
            for (Seat<K, V> seat : others) {
                finished++;
                Wanted<K, V> wanted = seat.wanted;
                V value = single.finish(wanted.key(), wanted.encoded(), wanted.seen(), seat.boarding, budget);
                if (value != null) {
                    values.put(wanted.key(), value);
                }
            }
        } finally {
            others.subList(finished, others.size()).forEach(this::landUnknown);
        }
    }

    /** Lands a flight that this thread leads and nobody landed. */
    private void landUnknown(Seat<K, V> seat) {
        if (seat.boarding.role() != Boarding.Role.JOIN) {
            land(seat, Landing.unknown());
        }
    }

    private void land(Seat<K, V> seat, Landing<V> landing) {
        parts.loading().flights().land(seat.wanted.encoded(), seat.boarding.flight(), landing);
    }

    /** Loads what this thread leads; returns those that another process is loading. */
    private List<Seat<K, V>> fly(List<Seat<K, V>> own, Map<K, V> values, CallBudget budget) {
        List<Seat<K, V>> taken = takePlaces(own, values, budget);
        List<Seat<K, V>> loading = own.stream().filter(seat -> seat.begins).toList();
        if (!loading.isEmpty()) {
            load(loading, values, budget);
        }
        return taken;
    }

    /** Takes a lease for each entry that can have one, all at once; returns those whose lease another process has. */
    private List<Seat<K, V>> takePlaces(List<Seat<K, V>> own, Map<K, V> values, CallBudget budget) {
        List<Seat<K, V>> asking = new ArrayList<>();
        List<Command.Lease> leases = new ArrayList<>();
        for (Seat<K, V> seat : own) {
            switch (seat.wanted.seen().kind()) {
                case FRESH, STALE -> seat.begin(seat.wanted.seen().stamp());
                case UNKNOWN, NEGATIVE -> seat.begin(0);
                case ABSENT, LEASED, OTHER_EPOCH, UNREADABLE -> {
                    if (parts.store().admitsLoad(seat.wanted.encoded())) {
                        asking.add(seat);
                        leases.add(new Command.Lease(
                                seat.wanted.encoded(), parts.store().newStamp(), Leases.expiry()));
                    } else {
                        seat.begin(0);
                    }
                }
            }
        }
        List<Answer<V>> answers = parts.store().leaseAll(leases, budget);
        List<Seat<K, V>> taken = new ArrayList<>();
        for (int i = 0; i < asking.size(); i++) {
            Seat<K, V> seat = asking.get(i);
            Answer<V> now = answers.get(i);
            if (now.leaseStamp() == leases.get(i).stamp()) {
                seat.beginUnderLease(now.leaseStamp(), parts.loading().leases());
            } else if (now.kind() == Answer.Kind.UNKNOWN) {
                seat.begin(0);
            } else if (now.isPresent()) {
                values.put(seat.wanted.key(), Objects.requireNonNull(now.value()));
                land(seat, Landing.of(now.value()));
            } else {
                taken.add(new Seat<>(new Wanted<>(seat.wanted.key(), seat.wanted.encoded(), now), seat.boarding));
            }
        }
        return taken;
    }

    private void load(List<Seat<K, V>> seats, Map<K, V> values, CallBudget budget) {
        Map<K, Loaded<V>> loaded;
        try {
            loaded = door.loadAll(keysOf(seats), causeOf(seats));
        } catch (RuntimeException e) {
            releaseAll(seats, budget);
            seats.forEach(seat -> land(seat, Landing.failed(e)));
            staleInstead(seats, values, e);
            return;
        } finally {
            seats.forEach(Seat::letGo);
        }
        List<Fills.Fill<K, V>> filled = new ArrayList<>();
        for (Seat<K, V> seat : seats) {
            Loaded<V> each = loaded.get(seat.wanted.key());
            if (seat.place != 0) {
                Answer<V> before =
                        seat.wanted.seen().isPresent() ? seat.wanted.seen() : Answer.without(Answer.Kind.ABSENT);
                filled.add(new Fills.Fill<>(seat.wanted.key(), seat.wanted.encoded(), before, seat.place, each));
            }
            if (each != null) {
                values.put(seat.wanted.key(), each.value());
            }
        }
        fills.fill(filled, budget);
        seats.forEach(seat -> {
            Loaded<V> each = loaded.get(seat.wanted.key());
            land(seat, Landing.of(each == null ? null : each.value()));
        });
    }

    private void releaseAll(List<Seat<K, V>> seats, CallBudget budget) {
        List<Command.CompareAndRemove> releases = new ArrayList<>();
        for (Seat<K, V> seat : seats) {
            if (seat.held != null) {
                releases.add(new Command.CompareAndRemove(seat.wanted.encoded(), seat.place));
            }
        }
        parts.store().releaseAll(releases, budget);
    }

    /** Serves the stale values if they may stand in for all that could not be loaded, or throws. */
    private void staleInstead(List<Seat<K, V>> seats, Map<K, V> values, RuntimeException failure) {
        for (Seat<K, V> seat : seats) {
            Answer<V> seen = seat.wanted.seen();
            if (!parts.lifetimes().isServedOnError(seen)) {
                throw failure;
            }
            values.put(seat.wanted.key(), Objects.requireNonNull(seen.stored()));
            parts.loading().observer().onStale(LoadCause.EXPIRED);
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
            switch (seat.wanted.seen().kind()) {
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
        private boolean begins;
        private long place;
        private Leases.@Nullable Held held;

        Seat(Wanted<K, V> wanted, Boarding<V> boarding) {
            this.wanted = wanted;
            this.boarding = boarding;
        }

        /** The loader is called; what it gives is stored in place of what has this stamp, 0 for not at all. */
        void begin(long stamp) {
            begins = true;
            place = stamp;
            boarding.flight().begin(stamp);
        }

        void beginUnderLease(long lease, Leases leases) {
            begin(lease);
            held = leases.hold(wanted.encoded(), lease);
        }

        void letGo() {
            if (held != null) {
                held.close();
            }
        }
    }
}
