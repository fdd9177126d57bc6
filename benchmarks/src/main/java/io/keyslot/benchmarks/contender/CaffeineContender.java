// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Caffeine: objects in the process, by reference, without JCache, as an upper bound for the speed of a near cache. */
final class CaffeineContender implements Contender {
    /** More than there are entries; the bound still has a cost. */
    private static final long MOST_ENTRIES = 10_000_000;

    private final Cache<Long, Customer> cache;

    CaffeineContender(Conditions conditions) {
        Caffeine<Object, Object> builder = Caffeine.newBuilder().maximumSize(MOST_ENTRIES);
        if (conditions.lifetime().isLimited()) {
            builder.expireAfterWrite(Duration.ofMillis(conditions.lifetime().millis()));
        }
        cache = builder.build();
    }

    @Override
    public @Nullable Object get(long id) {
        return cache.getIfPresent(id);
    }

    @Override
    public void put(long id, EncodedCustomer customer) {
        cache.put(id, customer.customer());
    }

    @Override
    public Map<Long, ?> getAll(Batch batch) {
        return cache.getAllPresent(batch.keys());
    }

    @Override
    public void putAll(Batch batch) {
        cache.putAll(batch.customers());
    }

    @Override
    public long invoke(long id) {
        return Objects.requireNonNull(cache.asMap().computeIfPresent(id, (key, before) -> before.visitedAgain()))
                .visits();
    }

    @Override
    public void close() {
        cache.invalidateAll();
    }
}
