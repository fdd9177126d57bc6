// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.feed;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.cache.feed.FeedSubscription;
import io.keyslot.it.KeyslotManagers;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.cache.CacheManager;

/** A process that reads changes, prints the partition, token and time of each batch, and records nothing. */
final class FeedReaderMain {
    private FeedReaderMain() {}

    @SuppressWarnings("unchecked") // the view has the types of its cache
    public static void main(String[] arguments) throws Exception {
        try (CacheManager manager = KeyslotManagers.openPatiently("reader", List.of(arguments[0].split(",", -1)))) {
            PartitionedCache<EntityKey, String> cache = manager.createCache(
                            "order", FeedServers.configuration(FeedServers.FEED))
                    .unwrap(PartitionedCache.class);
            FeedSubscription unused = cache.subscribe(
                    "copy",
                    FeedStart.earliest(),
                    batch -> System.out.println(
                            "%s %d %d".formatted(batch.partition(), batch.fencingToken(), System.currentTimeMillis())));
            new CountDownLatch(1).await();
        }
    }
}
