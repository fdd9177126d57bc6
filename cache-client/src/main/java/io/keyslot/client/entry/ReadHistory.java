// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.MissCause;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records what this process last knew of entries that it wrote or missed, to find the cause of a miss. The table has a
 * fixed size: an entry replaces another one in its place only at some writes or when it misses. Thread-safe.
 */
public final class ReadHistory implements EntryChanges {
    /** The size of the table for all caches of a manager; about 500 KiB when it is full. */
    private static final int PLACES = 1 << 13;

    /** One in this many writes replaces the note of another entry. */
    private static final int WRITES_PER_NOTE = 64;

    // The states of notes, in the last two bits of a mark.
    private static final int STORED = 1; // not missed since, and does not expire
    private static final int EXPIRING = 2; // the same, but expires
    private static final int MISSED = 3; // missing, or missed at the last read
    private static final int STATE = 3;

    private final AtomicReferenceArray<@Nullable Note> notes = new AtomicReferenceArray<>(PLACES);

    /**
     * The hash of the key at each place and the state of its note, or 0: most calls need not read the note, which takes
     * longer than all else here. Accessed without synchronization: a wrong mark loses one note, or keeps it too long.
     */
    private final int[] marks = new int[PLACES];

    private final Ticker ticker;

    public ReadHistory(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * What is known of an entry: why it is missing, its expiry, and the cause and time of the last miss, by the ticker.
     */
    private record Note(
            EncodedKey key,
            @Nullable MissCause absence,
            boolean expires,
            long expiresNanos,
            @Nullable MissCause missed,
            long missedNanos) {
        int state() {
            return absence != null || missed != null ? MISSED : expires ? EXPIRING : STORED;
        }

        boolean isOver(long now) {
            return expires && now - expiresNanos >= 0;
        }
    }

    public record Miss(MissCause cause, Duration ago) {}

    /** Records a hit if it is the first one after a miss. */
    public void hit(EncodedKey key) {
        int mark = markOf(key);
        int place = placeOf(mark);
        Note note = noteOfMiss(key, mark, place);
        if (note != null) {
            boolean expires = note.absence == null && note.expires;
            put(new Note(key, null, expires, note.expiresNanos, null, 0), mark, place);
        }
    }

    /** Records a miss, and reports its cause: {@code known}, or null if the entry is absent and only this history can tell. */
    public void miss(EncodedKey key, @Nullable MissCause known, CacheTelemetry telemetry) {
        int mark = markOf(key);
        int place = placeOf(mark);
        MissCause cause = known == null ? causeOfAbsence(noteOf(key, mark, place)) : known;
        put(new Note(key, cause, false, 0, cause, ticker.nanos()), mark, place);
        telemetry.onAbsent(cause);
    }

    @Override
    public void stored(EncodedKey key, Expiry onCreation, Expiry onUpdate) {
        int mark = markOf(key);
        int place = placeOf(mark);
        int present = marks[place];
        boolean mayDiffer = onUpdate.isUnchanged() || !onCreation.equals(onUpdate);
        boolean isUpdate = present == (mark | STORED) || (mayDiffer && isPresent(key, mark, place));
        Expiry expiry = isUpdate ? onUpdate : onCreation;
        boolean expires = !expiry.isNever() && !expiry.isUnchanged();
        if (isUpdate && (expiry.isUnchanged() || (present == (mark | STORED) && !expires))) {
            return;
        }
        boolean isFree = present == 0 || (present & ~STATE) == mark;
        if (isFree || ThreadLocalRandom.current().nextInt(WRITES_PER_NOTE) == 0) {
            long at = expires ? ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(expiry.millis()) : 0;
            put(key, mark, place, null, expires, at);
        }
    }

    @Override
    public void removed(EncodedKey key) {
        int mark = markOf(key);
        put(key, mark, placeOf(mark), MissCause.REMOVED, false, 0);
    }

    /** Replaces what is known of an entry, but for its last miss. */
    private void put(
            EncodedKey key, int mark, int place, @Nullable MissCause absence, boolean expires, long expiresNanos) {
        Note before = noteOfMiss(key, mark, place);
        Note note = before == null
                ? new Note(key, absence, expires, expiresNanos, null, 0)
                : new Note(key, absence, expires, expiresNanos, before.missed, before.missedNanos);
        put(note, mark, place);
    }

    public void forget(Predicate<EncodedKey> keys) {
        for (int place = 0; place < PLACES; place++) {
            Note note = notes.get(place);
            if (note != null && keys.test(note.key)) {
                notes.set(place, null);
                marks[place] = 0;
            }
        }
    }

    private MissCause causeOfAbsence(@Nullable Note note) {
        if (note == null) {
            return MissCause.NEVER_LOADED;
        }
        MissCause before = note.absence;
        if (before == null) {
            return note.isOver(ticker.nanos()) ? MissCause.EXPIRED : MissCause.EVICTED_OR_REMOVED_ELSEWHERE;
        }
        // The entry is still missing for the same reason, unless that was temporary.
        return switch (before) {
            case PARTITION_MISSING, NO_VALUE -> MissCause.NEVER_LOADED;
            default -> before;
        };
    }

    /** Returns the last read of the entry by this process, if it missed and has not been forgotten. */
    public Optional<Miss> lastMiss(EncodedKey key) {
        int mark = markOf(key);
        Note note = noteOf(key, mark, placeOf(mark));
        return note == null || note.missed == null
                ? Optional.empty()
                : Optional.of(new Miss(note.missed, Duration.ofNanos(ticker.nanos() - note.missedNanos)));
    }

    private @Nullable Note noteOf(EncodedKey key, int mark, int place) {
        Note note = (marks[place] & ~STATE) == mark ? notes.get(place) : null;
        return note != null && note.key.equals(key) ? note : null;
    }

    /** Returns whether the entry is there as far as this process knows, even if it was missing at the last read. */
    private boolean isPresent(EncodedKey key, int mark, int place) {
        Note note = noteOf(key, mark, place);
        return note != null && note.absence == null && !note.isOver(ticker.nanos());
    }

    private @Nullable Note noteOfMiss(EncodedKey key, int mark, int place) {
        return marks[place] == (mark | MISSED) ? noteOf(key, mark, place) : null;
    }

    private void put(Note note, int mark, int place) {
        notes.setRelease(place, note);
        marks[place] = mark | note.state();
    }

    private static int markOf(EncodedKey key) {
        return key.hashCode() & ~STATE;
    }

    private static int placeOf(int mark) {
        int hash = mark * 0x9E37_79B9; // spreads similar hashes
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(PLACES));
    }
}
