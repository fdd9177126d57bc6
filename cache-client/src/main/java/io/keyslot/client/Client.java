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

/**
 * What the caches of one manager share. {@link ClientAssembly} makes it.
 *
 * @param options what was configured
 * @param router sends commands to where their keys live
 * @param timing where time, timers and chance come from
 * @param waiter waits, and nobody else does
 * @param pools the threads that run code of the application
 * @param entries what all caches do with entries in the same way
 * @param meters what is counted
 * @param embedded the partitions themselves, if they live in this process
 * @param source where it hears of its partitions
 * @param closing what has to be closed, in order
 */
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

    /** Returns the clock. */
    public Ticker ticker() {
        return timing.ticker();
    }

    /** Adopts a newer layout of the partitions, and shows it, unless a newer one is known. Neither throws nor blocks. */
    void follow(Layout layout) {
        Futures.whenOver(router.offer(layout), (adopted, failure) -> {
            if (Boolean.TRUE.equals(adopted)) {
                LOG.debug("The slot map is another now: {}", layout.slotMap());
                meters.watch(router);
                entries.subscriptions().follow(layout);
            }
        });
    }

    /** Gives everything up; the first failure carries the others. To be called once. */
    @Override
    public void close() {
        Closing.all(closing);
    }
}
