// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.Failures;
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
 * Encodes and checks the keys of a cache, sets the time of calls for partitions, and creates exceptions. Thread-safe.
 */
record CacheCalls<K>(
        String name,
        KeyCodec<K> keys,
        EntryLimits limits,
        int mostKeyBytes,
        long longestNanos,
        Ticker ticker,
        Failures failures) {
    private static final Logger LOG = LoggerFactory.getLogger(CacheCalls.class);

    /** A bulk operation gets the time of one call for each block of this many keys. */
    private static final int KEYS_PER_CALL = 500;

    CacheCalls(String name, KeyCodec<K> keys, EntryLimits limits, Duration longest, Ticker ticker) {
        // With many caches, each further object is likely to miss the processor's cache, so these two are copied.
        this(name, keys, limits, limits.keyBytes(), longest.toNanos(), ticker, new Failures("Cache " + name));
    }

    EncodedKey encode(K key) {
        EncodedKey encoded = keys.encode(key);
        if (encoded.length() > mostKeyBytes) {
            throw new LimitExceededException(
                    "Cache %s: a key has %d bytes as text, the limit is %d; use shorter keys, or raise limits.keyBytes"
                            .formatted(name, encoded.length(), mostKeyBytes));
        }
        return encoded;
    }

    List<EncodedKey> encodeAll(Collection<? extends K> batch) {
        List<EncodedKey> encoded = new ArrayList<>(batch.size());
        for (K key : batch) {
            encoded.add(encode(key));
        }
        return encoded;
    }

    @Nullable
    K decodeOrNull(EncodedKey encoded) {
        try {
            return keys.decode(encoded);
        } catch (RuntimeException e) {
            LOG.debug("Cache {}: a stored key cannot be read", name, e);
            return null;
        }
    }

    /** Throws {@code UnsupportedOperationException} if stored keys cannot be decoded. */
    void requireReadableKeys(String operation) {
        if (keys.isHashed()) {
            throw new UnsupportedOperationException(
                    "Cache %s: %s needs the keys, and with hashedKeys only their hashes are stored; call it with keys"
                            .formatted(name, operation));
        }
    }

    /** Throws {@link LimitExceededException} if a batch has more keys than the limit. */
    void checkBatch(int size) {
        if (size > limits.batchKeys()) {
            throw new LimitExceededException(
                    "Cache %s: a bulk operation has %d keys, the limit is %d; split it, or raise limits.batchKeys"
                            .formatted(name, size, limits.batchKeys()));
        }
    }

    CallBudget budget(String operation) {
        return new CallBudget(operation, ticker, longestNanos);
    }

    CallBudget budgetFor(String operation, int size) {
        return new CallBudget(operation, ticker, longestNanos * (1 + size / KEYS_PER_CALL));
    }

    /** Returns the budget of a call that is part of a longer operation, which ends at {@code end}. */
    CallBudget budgetUntil(String operation, Deadline end) {
        return new CallBudget(operation, ticker, Math.min(longestNanos, end.remainingNanos()));
    }
}
