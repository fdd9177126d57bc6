// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long entries are fresh, how much longer partitions keep them to be served stale, and by how much the life of loaded
 * ones varies. The instant at which an entry goes stale is by the clocks of the processes: where they differ, it differs.
 */
public final class Lifetimes {
    private final LoadingOptions options;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final long extraMillis;

    public Lifetimes(LoadingOptions options, Ticker ticker, RandomGenerator random) {
        this.options = options;
        this.ticker = ticker;
        this.random = random;
        this.extraMillis =
                longer(options.staleWhileRevalidate(), options.staleIfError()).toMillis();
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** Returns whether entries carry the instant at which they go stale. */
    public boolean areTracked() {
        return extraMillis > 0 || options.refreshAhead();
    }

    /**
     * Returns the instant at which a value goes stale that is written now.
     *
     * @param expiry when it expires; unchanged if it replaces an entry and expires when that would have
     */
    public long freshUntil(Expiry expiry, Answer<?> before) {
        if (expiry.isUnchanged()) {
            return before.freshUntil();
        }
        return freshUntil(expiry);
    }

    /** As above, by what is stored; null for nothing. */
    public long freshUntil(Expiry expiry, @Nullable Envelope before) {
        return expiry.isUnchanged() && before != null
                ? Freshness.of(before.freshUntilMillis()).until()
                : freshUntil(expiry);
    }

    /** Returns whether what is stored has not gone stale. */
    public boolean isFresh(Envelope stored) {
        long until = Freshness.of(stored.freshUntilMillis()).until();
        return until == 0 || ticker.epochMillis() < until;
    }

    /** Returns the instant at which a new entry goes stale, 0 for never. */
    public long freshUntil(Expiry expiry) {
        return !areTracked() || expiry.isNever() || expiry.isUnchanged() ? 0 : ticker.epochMillis() + expiry.millis();
    }

    /** Returns when the partition is to forget an entry that is fresh until the given expiry. */
    public Expiry kept(Expiry fresh) {
        return fresh.isNever() || fresh.isUnchanged() ? fresh : new Expiry(fresh.millis() + extraMillis);
    }

    /** Returns a life that is shorter by chance, so that entries that were loaded together do not expire together. */
    public Expiry varied(Expiry expiry) {
        if (options.jitter() == 0 || expiry.isNever() || expiry.isUnchanged()) {
            return expiry;
        }
        long most = (long) (expiry.millis() * options.jitter());
        return Expiry.afterMillis(expiry.millis() - random.nextLong(most + 1));
    }
}
