// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A lease on an entry: for some seconds, it lets one call of one process load or change the entry. It is identified by
 * its stamp, and any change of the entry ends it. It expires unless it is renewed, so a process that hangs or ends
 * blocks no other.
 *
 * <p>Sources: Gray, Cheriton, "Leases: An Efficient Fault-Tolerant Mechanism for Distributed File Cache Consistency",
 * SOSP 1989; for loads, Nishtala et al., "Scaling Memcache at Facebook", NSDI 2013, section 3.2.1.
 */
sealed interface Lease permits Lease.OfMissing, Lease.OfStale, Lease.OfWriter {
    /** The duration of a lease that is not renewed. */
    Duration TIME_TO_LIVE = Duration.ofSeconds(5);

    EncodedKey key();

    long stamp();

    /** Returns the command that extends the lease, if it still exists. */
    Command.OfKey<Boolean> renewal(Ticker ticker);

    /** Returns the command that ends the lease, if it still exists, and restores the entry with {@code newStamp}. */
    Command.OfKey<Boolean> release(Ticker ticker, long newStamp);

    static Expiry expiry() {
        return Expiry.afterMillis(TIME_TO_LIVE.toMillis());
    }

    /** A lease in place of a missing entry; its holder loads the entry. */
    record OfMissing(EncodedKey key, long stamp) implements Lease {
        Command.Lease taking() {
            return new Command.Lease(key, stamp, expiry());
        }

        @Override
        public Command.CompareAndExpire renewal(Ticker ticker) {
            return new Command.CompareAndExpire(key, stamp, expiry());
        }

        @Override
        public Command.CompareAndRemove release(Ticker ticker, long newStamp) {
            return new Command.CompareAndRemove(key, stamp);
        }
    }

    /**
     * A lease on a stale entry (a claim), whose holder reloads the entry; {@code freshUntil} is in epoch milliseconds.
     */
    record OfStale(EncodedKey key, long stamp, long entryStamp, long freshUntil) implements Lease {
        Command.Claim taking(Ticker ticker) {
            return claim(entryStamp, stamp, claimed(ticker));
        }

        @Override
        public Command.Claim renewal(Ticker ticker) {
            return claim(stamp, stamp, claimed(ticker));
        }

        @Override
        public Command.Claim release(Ticker ticker, long newStamp) {
            return claim(stamp, newStamp, freshUntil);
        }

        private Command.Claim claim(long expected, long next, long freshness) {
            return new Command.Claim(key, expected, next, freshness);
        }

        private long claimed(Ticker ticker) {
            return Freshness.claimed(freshUntil, ticker.epochMillis() + TIME_TO_LIVE.toMillis());
        }
    }

    /**
     * A lease on a present or missing entry whose cache writer is about to be called, also called a reservation.
     * {@code isLasting} means that the entry does not expire or does not exist; otherwise, it would have expired at
     * {@code endNanos}.
     */
    record OfWriter(EncodedKey key, long stamp, boolean isLasting, long endNanos) implements Lease {
        /** Returns the remaining expiry of an unchanged entry. */
        Expiry rest(Ticker ticker) {
            return isLasting ? Expiry.NEVER : Expiry.afterMillis(millisLeft(ticker));
        }

        private long millisLeft(Ticker ticker) {
            return Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNanos - ticker.nanos()));
        }

        @Override
        public Command.CompareAndExpire renewal(Ticker ticker) {
            long most = TIME_TO_LIVE.toMillis();
            long lasts = isLasting ? most : Math.min(most, millisLeft(ticker));
            return new Command.CompareAndExpire(key, stamp, Expiry.afterMillis(lasts));
        }

        @Override
        public Command.GiveBack release(Ticker ticker, long newStamp) {
            return new Command.GiveBack(key, stamp, newStamp, rest(ticker));
        }
    }
}
