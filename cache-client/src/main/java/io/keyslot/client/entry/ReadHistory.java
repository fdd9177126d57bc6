// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.MissCause;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What this process last knew of some entries, to tell why a read of one missed. A table of fixed size: an entry whose place
 * is that of another one gets it now and then, or when it misses, and then the other's past is not known. Safe for use by
 * several threads.
 */
public class ReadHistory implements EntryChanges {
    /** One for all caches of a manager. About 500 KiB when it is full. */
    private static final int PLACES = 1 << 13;

    /** One place of so many is open to all entries at a time. */
    private static final int TURNS = 64;

    /** For how long: 2^24 ns, so that each of them is about once a second. */
    private static final int TURN_BITS = 24;

    /** The note says something that a read which finds the entry has to change. */
    private static final long NEVER_QUIET = 0;

    private static final long ALWAYS_QUIET = Long.MAX_VALUE;

    private final AtomicReferenceArray<@Nullable Note> notes = new AtomicReferenceArray<>(PLACES);

    /**
     * Whose note is at each place: the hash of the key, 0 for nobody's. Without any order between threads: a wrong mark costs
     * a note.
     */
    private final int[] marks = new int[PLACES];

    /**
     * Until when a read that finds the entry of a place leaves its note as it is, by the ticker; as far from any order as the
     * marks. So most reads need not look at the note, which is seldom in the caches of a processor.
     */
    private final long[] quietUntil = new long[PLACES];

    private final Ticker ticker;

    public ReadHistory(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * What is known of an entry.
     *
     * @param absence why it is not there, null if it is
     * @param expires whether it is known when it expires
     * @param expiresNanos when it expires
     * @param missed why the last read missed, null if it did not or there was none
     * @param missedNanos when it did
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

        /** Returns until when a read that finds the entry changes nothing. */
        long quietUntil() {
            if (absence != null || missed != null) {
                return NEVER_QUIET;
            }
            return expires ? expiresNanos : ALWAYS_QUIET;
        }
    }

    /**
     * A read that missed.
     *
     * @param cause why
     * @param ago how long ago it was
     */
    public record Miss(MissCause cause, Duration ago) {}

    /** Notes that the entry was read which the answer is about, or why it was not, and tells that. */
    void read(EncodedKey key, Answer<?> answer, EntryObserver observer) {
        if (answer.isPresent()) {
            found(key);
        } else {
            observer.onMissed(missed(key, answer.kind()));
        }
    }

    /** Notes that the entry was read, if it has a place. */
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

    /** Notes that the entries were read which the answers are about, or why they were not, and tells that. */
    void readAll(List<EncodedKey> keys, List<? extends Answer<?>> answers, EntryObserver observer) {
        long now = ticker.nanos();
        for (int i = 0; i < keys.size(); i++) {
            EncodedKey key = keys.get(i);
            Answer<?> answer = answers.get(i);
            if (!answer.isPresent()) {
                observer.onMissed(missed(key, answer.kind()));
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

    /** Notes that the entry was stored, if it has a place. */
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

    /** Returns whether what is noted of the entry is that it is there, and does not expire. */
    private boolean saysNothingElse(EncodedKey key) {
        int place = placeOf(key);
        return marks[place] == markOf(key) && quietUntil[place] == ALWAYS_QUIET;
    }

    private void noteStored(EncodedKey key, boolean expires, Expiry expiry) {
        long at = expires ? ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(expiry.millis()) : 0;
        put(after(noteOf(key), key, null, expires, at));
    }

    /** Notes that this process removed the entry. */
    @Override
    public void removed(EncodedKey key) {
        put(after(noteOf(key), key, MissCause.REMOVED, false, 0));
    }

    /** What was written changes nothing about the last read. */
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

    /** Notes that a read missed the entry, and returns why. */
    public MissCause missed(EncodedKey key, Answer.Kind kind) {
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
        // It is still missing for the reason for which it was, unless that was a passing one.
        return switch (before) {
            case PARTITION_MISSING, NO_VALUE -> MissCause.NEVER_LOADED;
            default -> before;
        };
    }

    /** Returns the last read of the entry by this process, if it missed and is not forgotten. */
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
     * Returns whether the entry's place is its own, or nobody's. Looking at a mark writes nothing, and is nearly all that most
     * reads and writes cost in a process that uses more entries than there are places.
     */
    private boolean isFreeFor(EncodedKey key) {
        int mark = marks[placeOf(key)];
        return mark == 0 || mark == markOf(key);
    }

    /** Returns whether the entry may take its place from another one now: places are open to all one after the other. */
    private static boolean isOpenFor(EncodedKey key, long now) {
        return (now >>> TURN_BITS) % TURNS == placeOf(key) % TURNS;
    }

    /** Returns what tells most keys apart; never 0. */
    private static int markOf(EncodedKey key) {
        int mark = key.hashCode();
        return mark == 0 ? 1 : mark;
    }

    private static int placeOf(EncodedKey key) {
        int hash = key.hashCode() * 0x9E37_79B9; // neighbours do not collide
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(PLACES));
    }
}
