// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.feed;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.it.KeyslotManagers;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.cache.CacheManager;

/** A process with four {@link Writers}, until it is to end; prints how many calls they made. */
final class FeedWriterMain {
    private FeedWriterMain() {}

    @SuppressWarnings("unchecked") // the view has the types of its cache
    public static void main(String[] arguments) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (CacheManager manager = KeyslotManagers.openPatiently("writers", List.of(arguments[0].split(",", -1)))) {
            PartitionedCache<EntityKey, String> cache = manager.createCache(
                            "order", FeedServers.configuration(FeedServers.FEED))
                    .unwrap(PartitionedCache.class);
            Writers writers = new Writers();
            for (int i = 0; i < 4; i++) {
                writers.start(threads, "c" + i, cache);
            }
            System.out.println("writing");
            int unused = System.in.read();
            writers.stop();
            System.out.println(writers.calls);
        } finally {
            threads.shutdownNow();
        }
    }
}
