// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.near;

import io.keyslot.cache.near.NearEnd;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearSelection;
import io.keyslot.client.call.ReadSender;
import io.keyslot.client.entry.KeptKeys;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.hot.HotReads;
import io.keyslot.client.routing.PartitionRouter;
import io.keyslot.client.routing.WrittenKeys;
import io.keyslot.client.statistics.NearObserver;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.time.Ticker;
import java.util.ArrayList;
import java.util.List;

/** The near caches of a manager. Until there is one, nobody pays for them. Safe for use by several threads. */
public final class NearCaches implements WrittenKeys {
    private final NearLinks links;
    private final PartitionRouter router;
    private final Ticker ticker;

    /** Creates none yet. */
    public NearCaches(NearLinks links, PartitionRouter router, Ticker ticker) {
        this.links = links;
        this.router = router;
        this.ticker = ticker;
    }

    /**
     * Makes the near cache of a cache.
     *
     * @param hot which keys are hot, if only those are kept
     */
    public <K, V> NearCache<K, V> open(
            NearOptions options, KeptKeys<K> keys, ValueCoder<V> coder, HotReads<K> hot, NearObserver observer) {
        boolean isOfHot = options.only() == NearSelection.HOT;
        NearAdmission admission = isOfHot ? NearAdmission.of(hot) : NearAdmission.ALL;
        NearCopies copies = new NearCopies(options, admission, links::slots, ticker, observer);
        if (isOfHot) {
            hot.whenHalved(links::tidy);
        }
        links.add(new NearPlaces(keys, copies, links, router));
        router.tell(this); // before the first copy
        return new NearCache<>(keys, copies, coder, options.values(), this);
    }

    NearReads reads(KeptKeys<?> keys, NearCopies copies, ReadSender plain) {
        return new NearReads(new NearPlaces(keys, copies, links, router), router, ticker, plain);
    }

    void forget(NearCopies copies) {
        links.remove(copies);
    }

    @Override
    public void written(List<EncodedKey> keys) {
        links.kill(keys, NearEnd.OWN_CHANGE);
    }

    /** Returns all of a list but one. */
    static List<NearPlaces> without(List<NearPlaces> all, NearCopies one) {
        List<NearPlaces> others = new ArrayList<>(all);
        others.removeIf(places -> places.copies().equals(one));
        return List.copyOf(others);
    }
}
