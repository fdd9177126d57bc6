// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.Deadlines;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.failure.LimitExceededException;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.entry.KeyQueues;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.time.CallBudget;
import io.keyslot.client.time.Ticker;
import io.keyslot.client.time.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the operations of one cache work with. */
record CacheParts<K, V>(
        String name,
        String entityType,
        KeyCodec<K> keys,
        ValueCoder<V> coder,
        EntryStore<V> store,
        KeyScan scan,
        Failures failures,
        KeyQueues queues,
        ExpiryRules expiry,
        ReadThrough<K, V> loader,
        ChangeWriter<K, V> writer,
        EventDispatcher<K, V> events,
        CacheCounters counters,
        MissingPartitionPolicy missingPartition,
        MissingPartitionWritePolicy missingPartitionWrites,
        Lifetimes lifetimes,
        LoadParts<V> loading,
        EntryLimits limits,
        Deadlines deadlines,
        Ticker ticker,
        Waiter waiter,
        RandomGenerator random) {

    private static final Logger LOG = LoggerFactory.getLogger(CacheParts.class);

    /** For this many keys, a bulk operation gets the time of one call. */
    private static final int KEYS_PER_CALL = 500;

    /**
     * Returns the stored form of a key.
     *
     * @throws LimitExceededException if it is too long
     */
    EncodedKey encode(K key) {
        EncodedKey encoded = keys.encode(key);
        if (encoded.length() > limits.keyBytes()) {
            throw new LimitExceededException(
                    "Cache %s: a key has %d bytes as text, the limit is %d; use shorter keys, or raise limits.keyBytes"
                            .formatted(name, encoded.length(), limits.keyBytes()));
        }
        return encoded;
    }

    /** Returns the stored forms of keys, in their order. */
    List<EncodedKey> encodeAll(Collection<? extends K> batch) {
        List<EncodedKey> encoded = new ArrayList<>(batch.size());
        batch.forEach(key -> encoded.add(encode(key)));
        return encoded;
    }

    /** Returns the application's form of a stored key, null if it is not one of this cache's. */
    @Nullable
    K decodeOrNull(EncodedKey encoded) {
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
    void checkBatch(int size) {
        if (size > limits.batchKeys()) {
            throw new LimitExceededException(
                    "Cache %s: a bulk operation has %d keys, the limit is %d; split it, or raise limits.batchKeys"
                            .formatted(name, size, limits.batchKeys()));
        }
    }

    /** @param operation the method that the application called */
    CallBudget budget(String operation) {
        return new CallBudget(operation, ticker, deadlines.call());
    }

    /** Returns the bound of one optimistic change. */
    Contention contention() {
        return new Contention(ticker, random, waiter, failures);
    }

    /** @param operation the method that the application called */
    CallBudget budgetFor(String operation, int size) {
        Duration budget = deadlines.call().multipliedBy(1 + size / KEYS_PER_CALL);
        return new CallBudget(operation, ticker, budget);
    }
}
