// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.MissCause;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Records what this process last knew of entries, to find the cause of a miss. The table has a fixed size: an entry
 * replaces another one in its place only at some times or when it misses. Thread-safe.
 */
public final class ReadHistory implements EntryChanges {
    /** The size of the table for all caches of a manager; about 500 KiB when it is full. */
    private static final int PLACES = 1 << 13;

    /** At each moment, one in this many places accepts other entries. */
    private static final int TURNS = 64;

    /** The duration of such a moment, 2^24 ns, so that each place accepts others about once a second. */
    private static final int TURN_BITS = 24;

    /** The note has to be changed by a read that finds the entry. */
    private static final long NEVER_QUIET = 0;

    private static final long ALWAYS_QUIET = Long.MAX_VALUE;

    private final AtomicReferenceArray<@Nullable Note> notes = new AtomicReferenceArray<>(PLACES);

    /** The hash of the key at each place, or 0. Accessed without synchronization: a wrong mark costs one note. */
    private final int[] marks = new int[PLACES];

    /**
     * Until when (by the ticker) a read that finds the entry leaves its note unchanged; not synchronized. So most reads
     * do not access the note, which is rarely in a processor's cache.
     */
    private final long[] quietUntil = new long[PLACES];

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
        boolean isOver(long now) {
            return expires && now - expiresNanos >= 0;
        }

        long quietUntil() {
            if (absence != null || missed != null) {
                return NEVER_QUIET;
            }
            return expires ? expiresNanos : ALWAYS_QUIET;
        }
    }

    public record Miss(MissCause cause, Duration ago) {}

    /** Records the result of a read, and reports a miss. */
    void read(EncodedKey key, Answer<?> answer, CacheTelemetry telemetry) {
        if (answer.isPresent()) {
            found(key);
        } else {
            telemetry.onMissed(missed(key, answer.kind()));
        }
    }

    /** Records that a read found the entry, if it has a place. */
    void found(EncodedKey key) {
        if (!saysNothingElse(key)) {
            found(key, placeOf(key), ticker.nanos());
        }
    }

    private void found(EncodedKey key, int place, long now) {
        boolean changes = marks[place] == markOf(key) ? !isQuiet(place, now) : isFreeFor(key) || isOpenFor(key, now);
        if (changes) {
            noteFound(key);
        }
    }

    private boolean isQuiet(int place, long now) {
        long until = quietUntil[place];
        return until == ALWAYS_QUIET || (until != NEVER_QUIET && now - until < 0);
    }

    void readAll(List<EncodedKey> keys, List<? extends Answer<?>> answers, CacheTelemetry telemetry) {
        long now = ticker.nanos();
        for (int i = 0; i < keys.size(); i++) {
            EncodedKey key = keys.get(i);
            Answer<?> answer = answers.get(i);
            if (!answer.isPresent()) {
                telemetry.onMissed(missed(key, answer.kind()));
            } else {
                found(key, placeOf(key), now);
            }
        }
    }

    private void noteFound(EncodedKey key) {
        Note note = noteOf(key);
        if (note == null || note.absence != null || note.isOver(ticker.nanos())) {
            put(new Note(key, null, false, 0, null, 0));
        } else if (note.missed != null) {
            put(new Note(key, null, note.expires, note.expiresNanos, null, 0));
        }
    }

    @Override
    public void stored(EncodedKey key, Expiry expiry) {
        boolean expires = !expiry.isNever() && !expiry.isUnchanged();
        if (!expires && saysNothingElse(key)) {
            return;
        }
        if (isFreeFor(key) || isOpenFor(key, ticker.nanos())) {
            noteStored(key, expires, expiry);
        }
    }

    /** Returns whether the note says only that the entry is present and does not expire. */
    private boolean saysNothingElse(EncodedKey key) {
        int place = placeOf(key);
        return marks[place] == markOf(key) && quietUntil[place] == ALWAYS_QUIET;
    }

    private void noteStored(EncodedKey key, boolean expires, Expiry expiry) {
        long at = expires ? ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(expiry.millis()) : 0;
        put(after(noteOf(key), key, null, expires, at));
    }

    @Override
    public void removed(EncodedKey key) {
        put(after(noteOf(key), key, MissCause.REMOVED, false, 0));
    }

    private static Note after(
            @Nullable Note before, EncodedKey key, @Nullable MissCause absence, boolean expires, long expiresNanos) {
        if (before != null
                && before.absence == absence
                && before.expires == expires
                && before.expiresNanos == expiresNanos) {
            return before;
        }
        return before == null
                ? new Note(key, absence, expires, expiresNanos, null, 0)
                : new Note(key, absence, expires, expiresNanos, before.missed, before.missedNanos);
    }

    MissCause missed(EncodedKey key, Answer.Kind kind) {
        MissCause cause = causeOf(key, kind);
        put(new Note(key, cause, false, 0, cause, ticker.nanos()));
        return cause;
    }

    private MissCause causeOf(EncodedKey key, Answer.Kind kind) {
        return switch (kind) {
            case STALE -> MissCause.EXPIRED;
            case NEGATIVE -> MissCause.NO_VALUE;
            case OTHER_EPOCH -> MissCause.OTHER_EPOCH;
            case UNREADABLE -> MissCause.UNDECODABLE;
            case UNKNOWN -> MissCause.PARTITION_MISSING;
            case FRESH, ABSENT, LEASED -> causeOfAbsence(noteOf(key));
        };
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
        Note note = noteOf(key);
        return note == null || note.missed == null
                ? Optional.empty()
                : Optional.of(new Miss(note.missed, Duration.ofNanos(ticker.nanos() - note.missedNanos)));
    }

    private @Nullable Note noteOf(EncodedKey key) {
        Note note = notes.get(placeOf(key));
        return note != null && note.key.equals(key) ? note : null;
    }

    private void put(Note note) {
        int place = placeOf(note.key);
        notes.setRelease(place, note);
        quietUntil[place] = note.quietUntil();
        marks[place] = markOf(note.key);
    }

    /**
     * Returns whether the entry's place is free or its own. This check writes nothing; with more entries than places,
     * it is nearly the whole cost of most reads and writes.
     */
    private boolean isFreeFor(EncodedKey key) {
        int mark = marks[placeOf(key)];
        return mark == 0 || mark == markOf(key);
    }

    /** Returns whether the entry may replace another one in its place now. */
    private static boolean isOpenFor(EncodedKey key, long now) {
        return (now >>> TURN_BITS) % TURNS == placeOf(key) % TURNS;
    }

    private static int markOf(EncodedKey key) {
        int mark = key.hashCode();
        return mark == 0 ? 1 : mark;
    }

    private static int placeOf(EncodedKey key) {
        int hash = key.hashCode() * 0x9E37_79B9; // spreads similar hashes
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(PLACES));
    }
}
