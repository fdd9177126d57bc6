// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.stored.EncodedKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every call of a cache begins with: its keys in their stored form, within the limits, and its time for partitions; and
 * how a failure is told. Safe for use by several threads.
 *
 * @param <K> the type of the keys
 */
public final class CacheCalls<K> {
    private static final Logger LOG = LoggerFactory.getLogger(CacheCalls.class);

    /** For this many keys, a bulk operation gets the time of one call. */
    private static final int KEYS_PER_CALL = 500;

    private final String name;
    private final KeyCodec<K> keys;
    private final EntryLimits limits;

    // As numbers here: who uses many caches finds little of any of them near the processor.
    private final int mostKeyBytes;
    private final long longestNanos;

    private final Ticker ticker;
    private final Failures failures;

    /** @param longest how long a call may wait for partitions */
    public CacheCalls(String name, KeyCodec<K> keys, EntryLimits limits, Duration longest, Ticker ticker) {
        this.name = name;
        this.keys = keys;
        this.limits = limits;
        this.mostKeyBytes = limits.keyBytes();
        this.longestNanos = longest.toNanos();
        this.ticker = ticker;
        this.failures = new Failures("Cache " + name);
    }

    /** Returns the name of the cache. */
    public String name() {
        return name;
    }

    /** Returns the clock. */
    public Ticker ticker() {
        return ticker;
    }

    /** Returns what tells this cache's failures. */
    public Failures failures() {
        return failures;
    }

    /**
     * Returns the stored form of a key.
     *
     * @throws LimitExceededException if it is too long
     */
    public EncodedKey encode(K key) {
        EncodedKey encoded = keys.encode(key);
        if (encoded.length() > mostKeyBytes) {
            throw new LimitExceededException(
                    "Cache %s: a key has %d bytes as text, the limit is %d; use shorter keys, or raise limits.keyBytes"
                            .formatted(name, encoded.length(), mostKeyBytes));
        }
        return encoded;
    }

    /** Returns the stored forms of keys, in their order. */
    public List<EncodedKey> encodeAll(Collection<? extends K> batch) {
        List<EncodedKey> encoded = new ArrayList<>(batch.size());
        batch.forEach(key -> encoded.add(encode(key)));
        return encoded;
    }

    /**
     * Returns the application's form of a stored key.
     *
     * @throws RuntimeException if it is of another version of its class, or of one that is not allowed
     */
    public K decode(EncodedKey encoded) {
        return keys.decode(encoded);
    }

    /** Returns the application's form of a stored key, null if it is not one of this cache's. */
    public @Nullable K decodeOrNull(EncodedKey encoded) {
        try {
            return keys.decode(encoded);
        } catch (RuntimeException e) {
            LOG.debug("Cache {}: a stored key cannot be read", name, e);
            return null;
        }
    }

    /**
     * Refuses a batch that is too large.
     *
     * @throws LimitExceededException if it has more keys than the limit
     */
    public void checkBatch(int size) {
        if (size > limits.batchKeys()) {
            throw new LimitExceededException(
                    "Cache %s: a bulk operation has %d keys, the limit is %d; split it, or raise limits.batchKeys"
                            .formatted(name, size, limits.batchKeys()));
        }
    }

    /**
     * Returns the time of a call.
     *
     * @param operation the method that the application called
     */
    public CallBudget budget(String operation) {
        return new CallBudget(operation, ticker, longestNanos);
    }

    /**
     * Returns the time of a call with so many keys.
     *
     * @param operation the method that the application called
     */
    public CallBudget budgetFor(String operation, int size) {
        return new CallBudget(operation, ticker, longestNanos * (1 + size / KEYS_PER_CALL));
    }

    /** Returns the time of a call, or what is left until the end of an operation of many calls. */
    public CallBudget budgetUntil(String operation, Deadline end) {
        return new CallBudget(operation, ticker, Math.min(longestNanos, end.remainingNanos()));
    }
}
