// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.partition.Command;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What stands in an entry's place for some seconds, and says that one call of one process is finding out its value or
 * changing it. It is known by its stamp: whoever stores or removes the entry voids it. It ends by itself unless it is
 * renewed, so that a process that stands still or ends keeps nobody waiting.
 *
 * <p>Sources: Gray, Cheriton, "Leases: An Efficient Fault-Tolerant Mechanism for Distributed File Cache Consistency", SOSP
 * 1989; for loads, Nishtala et al., "Scaling Memcache at Facebook", NSDI 2013, section 3.2.1.
 */
public sealed interface Lease permits Lease.OfMissing, Lease.OfStale, Lease.OfWriter {
    /** How long a lease lasts that is not renewed. */
    Duration TIME_TO_LIVE = Duration.ofSeconds(5);

    EncodedKey key();

    /** Returns the stamp by which what is in the entry's place is known to be this lease. */
    long stamp();

    /** Returns the command that has it last as long from now on, if it is still there. */
    Command.OfKey<Boolean> renewal(Ticker ticker);

    /**
     * Returns the command that ends it, if it is still there, and leaves the entry as it was before.
     *
     * @param newStamp the stamp of an entry that is left
     */
    Command.OfKey<Boolean> release(Ticker ticker, long newStamp);

    /** Returns when a lease ends that is taken or renewed now. */
    static Expiry expiry() {
        return Expiry.afterMillis(TIME_TO_LIVE.toMillis());
    }

    /** In place of an entry that is not there: who has it loads the entry. */
    record OfMissing(EncodedKey key, long stamp) implements Lease {
        /** Returns the command that takes it where nothing is. */
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
     * On an entry that is stale: who has it loads the entry again. Also called a claim.
     *
     * @param entryStamp the stamp of the entry that it was taken on
     * @param freshUntil until when the entry was fresh, in milliseconds since 1970
     */
    record OfStale(EncodedKey key, long stamp, long entryStamp, long freshUntil) implements Lease {
        /** Returns the command that takes it if the entry has not changed. */
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
     * Around an entry, or the absence of one, whose writer is about to be asked. Also called a reservation.
     *
     * @param isLasting whether the entry does not expire, or is none
     * @param endNanos when the entry would have expired if it does
     */
    record OfWriter(EncodedKey key, long stamp, boolean isLasting, long endNanos) implements Lease {
        /** Returns when the entry is to expire if it has not been changed. */
        public Expiry rest(Ticker ticker) {
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
