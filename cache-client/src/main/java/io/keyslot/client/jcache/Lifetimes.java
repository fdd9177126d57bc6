// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Computes the freshness of entries, how long partitions keep stale entries, and the random variation of the life of
 * loaded entries. Freshness depends on the clocks of the processes.
 */
record Lifetimes(LoadingOptions options, Ticker ticker, RandomGenerator random, long extraMillis) {

    Lifetimes(LoadingOptions options, Ticker ticker, RandomGenerator random) {
        this(
                options,
                ticker,
                random,
                Math.max(
                        options.staleWhileRevalidate().toMillis(),
                        options.staleIfError().toMillis()));
    }

    /** Returns whether entries store the end of their freshness. */
    boolean areTracked() {
        return extraMillis > 0;
    }

    /** Returns whether a value is stored in the same way whether or not there is an entry. */
    boolean mayBeBlind(ExpiryRules rules) {
        return rules.isConstant() && (!areTracked() || rules.onCreation().equals(rules.onUpdate()));
    }

    /** Returns the end of the freshness of a new value; for an unchanged expiry, that of the replaced entry. */
    long freshUntil(Expiry expiry, Answer<?> before) {
        if (expiry.isUnchanged()) {
            return before.freshUntil();
        }
        return freshUntil(expiry);
    }

    long freshUntil(Expiry expiry, @Nullable Envelope before) {
        return expiry.isUnchanged() && before != null
                ? Freshness.of(before.freshUntilMillis()).until()
                : freshUntil(expiry);
    }

    boolean isFresh(Envelope stored) {
        long until = Freshness.of(stored.freshUntilMillis()).until();
        return until == 0 || ticker.epochMillis() < until;
    }

    /** Returns the end of the freshness of a new entry, or 0 for never. */
    long freshUntil(Expiry expiry) {
        return !areTracked() || expiry.isNever() || expiry.isUnchanged() ? 0 : ticker.epochMillis() + expiry.millis();
    }

    /** Returns the expiry of the stored bytes of an entry whose freshness ends with the given expiry. */
    Expiry kept(Expiry fresh) {
        return extraMillis == 0 || fresh.isNever() || fresh.isUnchanged()
                ? fresh
                : new Expiry(fresh.millis() + extraMillis);
    }

    /** Returns a randomly shortened expiry, so that entries that were loaded together do not expire together. */
    Expiry varied(Expiry expiry) {
        if (options.jitter() == 0 || expiry.isNever() || expiry.isUnchanged()) {
            return expiry;
        }
        long most = (long) (expiry.millis() * options.jitter());
        return Expiry.afterMillis(expiry.millis() - random.nextLong(most + 1));
    }
}
