// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.concurrent.Ticker;
import io.keyslot.client.entry.LocalKeys;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.WriteListener;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.util.ArrayList;
import java.util.List;

/** The near caches of a manager. They cost nothing until one is opened. Thread-safe. */
public record NearCaches(TrackedConnections links, PartitionRouter router, Ticker ticker) implements WriteListener {
    public <K, V> NearCache<K, V> open(
            NearOptions options, LocalKeys<K> keys, ValueCoder<V> coder, CacheTelemetry telemetry) {
        NearEntries copies = new NearEntries(options, links::slots, ticker, telemetry);
        links.add(new NearReservations(keys, copies, links, router));
        router.addListener(this); // before the first copy
        return new NearCache<>(keys, copies, coder, options.values(), this, telemetry);
    }

    Channel channel(LocalKeys<?> keys, NearEntries copies, Channel next) {
        return new NearChannel(next, new NearReservations(keys, copies, links, router), router, ticker);
    }

    void forget(NearEntries copies) {
        links.remove(copies);
    }

    @Override
    public void written(List<EncodedKey> keys) {
        links.kill(keys, NearEnd.OWN_CHANGE);
    }

    static List<NearReservations> without(List<NearReservations> all, NearEntries one) {
        List<NearReservations> others = new ArrayList<>(all);
        others.removeIf(places -> places.copies().equals(one));
        return List.copyOf(others);
    }
}
