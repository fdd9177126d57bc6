// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.hot;

import io.keyslot.cache.hot.HotKey;
import io.keyslot.cache.hot.HotKeys;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.traffic.HotTraffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The caches of a manager whose hot keys operators may know. Safe for use by several threads. */
public final class HotSources {
    /** So many keys of each cache are told at most. */
    static final int MOST_KEYS_TOLD = 32;

    private final Map<String, Source> sources = new ConcurrentHashMap<>();
    private final SampleOfAll sample;

    /** @param sample of the reads of all caches of the manager, those that are not told too */
    public HotSources(SampleOfAll sample) {
        this.sample = sample;
    }

    /** Returns what the samples of all caches have in common. */
    public SampleOfAll sample() {
        return sample;
    }

    private record Source(
            String cache,
            HotReads<?> reads,
            Function<Object, @Nullable EncodedKey> stored,
            ToIntFunction<EncodedKey> slots) {
        List<HotTraffic> during(long millis) {
            HotKeys<EncodedKey> hot = reads.top(MOST_KEYS_TOLD, stored);
            double part = hot.over().isZero()
                    ? 0
                    : millis / ((double) hot.over().toNanos() / TimeUnit.MILLISECONDS.toNanos(1));
            List<HotTraffic> told = new ArrayList<>();
            for (HotKey<EncodedKey> key : hot.keys()) {
                String text = key.key().text();
                if (text.length() <= HotTraffic.LONGEST_KEY) {
                    told.add(new HotTraffic(
                            cache,
                            text,
                            slots.applyAsInt(key.key()),
                            Math.round(key.reads() * part),
                            Math.round(key.error() * part),
                            Math.round(hot.reads() * part)));
                }
            }
            return told;
        }
    }

    /**
     * Adds a cache.
     *
     * @param stored the stored key of what stands for one
     * @param slots the slot of a stored key
     */
    public void add(
            String cache,
            HotReads<?> reads,
            Function<Object, @Nullable EncodedKey> stored,
            ToIntFunction<EncodedKey> slots) {
        sources.put(cache, new Source(cache, reads, stored, slots));
    }

    /** Takes a cache away, if it is there. */
    public void remove(String cache) {
        sources.remove(cache);
    }

    /** Returns the hot keys of all caches, with the reads that they have in so many milliseconds. */
    public List<HotTraffic> during(long millis) {
        return sources.values().stream()
                .flatMap(source -> source.during(millis).stream())
                .toList();
    }
}
