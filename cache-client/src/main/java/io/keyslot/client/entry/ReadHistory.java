// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.MissCause;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Expiry;
import io.keyslot.client.routing.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What this process last knew of some entries, to tell why a read of one missed. A table of fixed size: an entry takes the
 * place of another one now and then, and then its past is not known. Safe for use by several threads.
 */
public final class ReadHistory {
    /** One for all caches of a manager. About 400 KiB when it is full. */
    private static final int PLACES = 1 << 13;

    private final AtomicReferenceArray<@Nullable Note> notes = new AtomicReferenceArray<>(PLACES);
    private final Ticker ticker;

    public ReadHistory(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * What was known of an entry.
     *
     * @param cause why it was missed, null if it was there
     * @param expires whether it is known when it expires
     * @param atNanos when it was missed, or when it expires
     */
    private record Note(EncodedKey key, @Nullable MissCause cause, boolean expires, long atNanos) {}

    /**
     * A read that missed.
     *
     * @param cause why
     * @param ago how long ago it was
     */
    public record Miss(MissCause cause, Duration ago) {}

    /** Notes that the entry was read. */
    void found(EncodedKey key) {
        Note note = noteOf(key);
        if (note == null || note.cause != null) {
            put(new Note(key, null, false, 0));
        }
    }

    /** Notes that the entry was stored. */
    void stored(EncodedKey key, Expiry expiry) {
        boolean expires = !expiry.isNever() && !expiry.isUnchanged();
        long at = expires ? ticker.nanos() + TimeUnit.MILLISECONDS.toNanos(expiry.millis()) : 0;
        put(new Note(key, null, expires, at));
    }

    /** Notes that this process removed the entry. */
    void removed(EncodedKey key) {
        put(new Note(key, MissCause.REMOVED, false, ticker.nanos()));
    }

    /** Notes that a read missed the entry, and returns why. */
    MissCause missed(EncodedKey key, Answer.Kind kind) {
        MissCause cause = causeOf(key, kind);
        put(new Note(key, cause, false, ticker.nanos()));
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
        if (note.cause == null) {
            return note.expires && ticker.nanos() - note.atNanos >= 0
                    ? MissCause.EXPIRED
                    : MissCause.EVICTED_OR_REMOVED_ELSEWHERE;
        }
        // It is still missing for the reason for which it was, unless that was a passing one.
        return switch (note.cause) {
            case PARTITION_MISSING, NO_VALUE -> MissCause.NEVER_LOADED;
            default -> note.cause;
        };
    }

    /** Returns the last read of the entry by this process, if it missed and is not forgotten. */
    public Optional<Miss> lastMiss(EncodedKey key) {
        Note note = noteOf(key);
        return note == null || note.cause == null || note.cause == MissCause.REMOVED
                ? Optional.empty()
                : Optional.of(new Miss(note.cause, Duration.ofNanos(ticker.nanos() - note.atNanos)));
    }

    private @Nullable Note noteOf(EncodedKey key) {
        Note note = notes.get(placeOf(key));
        return note != null && note.key.equals(key) ? note : null;
    }

    private void put(Note note) {
        notes.set(placeOf(note.key), note);
    }

    private static int placeOf(EncodedKey key) {
        int hash = key.hashCode() * 0x9E37_79B9; // neighbours do not collide
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(PLACES));
    }
}
