// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.Customer;
import io.keyslot.benchmarks.workload.EncodedCustomer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RLocalCachedMap;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.LocalCachedMapOptions;
import org.redisson.api.options.LocalCachedMapOptions.ReconnectionStrategy;

/**
 * Redisson's map with copies in the process, on one server. It is no JCache; its entries do not expire. The copies are
 * dropped when the connection was lost, which is not the default: that keeps them without knowing what was changed.
 */
final class RedissonLocalContender implements Contender {
    private final RedissonClient client;
    private final RLocalCachedMap<Long, Customer> map;

    RedissonLocalContender(Conditions conditions) {
        client = Redisson.create(RedissonContenders.config(conditions));
        map = client.getLocalCachedMap(LocalCachedMapOptions.<Long, Customer>name("customer")
                .reconnectionStrategy(ReconnectionStrategy.CLEAR));
    }

    @Override
    public @Nullable Object get(long id) {
        return map.get(id);
    }

    @Override
    public void put(long id, EncodedCustomer customer) {
        map.fastPut(id, customer.customer());
    }

    @Override
    public Map<Long, ?> getAll(Batch batch) {
        return map.getAll(batch.keys());
    }

    @Override
    public void putAll(Batch batch) {
        map.putAll(batch.customers());
    }

    @Override
    public long invoke(long id) {
        throw new UnsupportedOperationException("Redisson's map has no invoke");
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
