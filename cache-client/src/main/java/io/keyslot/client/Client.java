// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.Futures;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.concurrent.Waiter;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.client.routing.Layout;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.TopologySource;
import io.keyslot.client.telemetry.Meters;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts that all caches of one manager share, created by {@link ClientAssembly}. */
public record Client(
        ClientOptions options,
        PartitionRouter router,
        Waiter waiter,
        Timing timing,
        ClientPools pools,
        ClientEntries entries,
        Meters meters,
        Optional<EmbeddedPartitions> embedded,
        TopologySource source,
        List<Runnable> closing)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Client.class);

    public Ticker ticker() {
        return timing.ticker();
    }

    /** Adopts a layout, unless a newer one is known, and updates meters and subscriptions. Does not throw or block. */
    void follow(Layout layout) {
        Futures.whenOver(router.offer(layout), (adopted, failure) -> {
            if (Boolean.TRUE.equals(adopted)) {
                LOG.debug("The slot map is another now: {}", layout.slotMap());
                meters.watch(router);
                entries.subscriptions().follow(layout);
            }
        });
    }

    /** Closes all parts; the first failure has the others as suppressed. Call this once. */
    @Override
    public void close() {
        Closing.all(closing);
    }
}
