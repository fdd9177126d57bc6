// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import java.io.Serial;
import java.io.Serializable;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/** A cache of any JCache provider, through its standard interface. */
class JCacheContender implements Contender {
    private static final Visit VISIT = new Visit();

    private final CacheManager manager;
    private final Cache<Long, Customer> cache;

    JCacheContender(CacheManager manager, Cache<Long, Customer> cache) {
        this.manager = manager;
        this.cache = cache;
    }

    @Override
    public @Nullable Object get(long id) {
        return cache.get(id);
    }

    @Override
    public void put(long id, EncodedCustomer customer) {
        cache.put(id, customer.customer());
    }

    @Override
    public Map<Long, ?> getAll(Batch batch) {
        return cache.getAll(batch.keys());
    }

    @Override
    public void putAll(Batch batch) {
        cache.putAll(batch.customers());
    }

    @Override
    public long invoke(long id) {
        return cache.invoke(id, VISIT);
    }

    @Override
    public void close() {
        manager.close();
    }

    static final class Visit implements EntryProcessor<Long, Customer, Integer>, Serializable {
        @Serial
        private static final long serialVersionUID = 1L;

        @Override
        public Integer process(MutableEntry<Long, Customer> entry, Object... arguments) {
            Customer after = entry.getValue().visitedAgain();
            entry.setValue(after);
            return after.visits();
        }
    }
}
