// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static io.keyslot.client.jcache.SettableExpiry.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import javax.cache.Cache;
import org.junit.jupiter.api.Test;

/** The iterator over all partitions. */
public abstract class IteratorConformance extends JCacheConformance {
    private static final int THOUSANDS = 5_000;

    @Test
    void thousandsOfEntries_areEachGivenOnce() {
        Cache<String, Integer> cache = create(numbers());
        Map<String, Integer> entries = new HashMap<>();
        for (int i = 0; i < THOUSANDS; i++) {
            entries.put("key-" + i, i);
        }
        cache.putAll(entries);

        List<String> keys = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (Cache.Entry<String, Integer> entry : cache) {
            keys.add(entry.getKey());
            seen.put(entry.getKey(), entry.getValue());
        }

        assertThat(keys).doesNotHaveDuplicates();
        assertThat(seen).isEqualTo(entries);
    }

    @Test
    void entriesThatStay_areGivenOnceWhileOthersComeAndGo() {
        Cache<String, Integer> cache = create(numbers());
        Map<String, Integer> staying = new HashMap<>();
        for (int i = 0; i < 500; i++) {
            staying.put("stays-" + i, i);
            cache.put("goes-" + i, i);
        }
        cache.putAll(staying);

        List<String> seen = new ArrayList<>();
        int changes = 0;
        for (Cache.Entry<String, Integer> entry : cache) {
            if (entry.getKey().startsWith("stays-")) {
                seen.add(entry.getKey());
            }
            cache.remove("goes-" + changes);
            cache.put("comes-" + changes % 500, changes);
            changes++;
            assertThat(changes).as("the iteration ends").isLessThan(10_000);
        }
        assertThat(seen).doesNotHaveDuplicates();
        assertThat(new HashSet<>(seen)).isEqualTo(staying.keySet());
    }

    @Test
    void entriesOfOtherCaches_areNotGiven() {
        Cache<String, String> cache = createStrings();
        Cache<String, String> other = manager.createCache(NAME + "2", strings());
        cache.put("mine", "v");
        other.put("other", "v");
        assertThat(cache).extracting(Cache.Entry::getKey).containsExactly("mine");
    }

    @Test
    void next_doesNotNeedHasNext() {
        Cache<String, String> cache = createStrings();
        cache.putAll(Map.of("a", "1", "b", "2"));
        Iterator<Cache.Entry<String, String>> entries = cache.iterator();
        List<String> keys = new ArrayList<>(List.of(entries.next().getKey()));
        keys.add(entries.next().getKey());
        assertThat(keys).containsExactlyInAnyOrder("a", "b");
        assertThatThrownBy(entries::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void removeTwice_isAnIllegalState() {
        Cache<String, String> cache = createStrings();
        cache.put("k", "v");
        Iterator<Cache.Entry<String, String>> entries = cache.iterator();
        entries.next();
        entries.remove();
        assertThatThrownBy(entries::remove).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void expiredEntries_areSkipped() {
        SettableExpiry policy = new SettableExpiry();
        Cache<String, String> cache = create(strings().setExpiryPolicyFactory(() -> policy));
        cache.put("stays", "v");
        policy.onCreation(() -> millis(50));
        cache.put("expires", "v");
        await("expiry of the entry").until(() -> !cache.containsKey("expires"));
        assertThat(cache).extracting(Cache.Entry::getKey).containsExactly("stays");
    }

    @Test
    void entryThatWasRemovedMeanwhile_isSkippedOrGivenAsItWas() {
        Cache<String, String> cache = createStrings();
        cache.putAll(Map.of("a", "v", "b", "v"));
        Iterator<Cache.Entry<String, String>> entries = cache.iterator();
        cache.remove("a");
        cache.remove("b");
        while (entries.hasNext()) {
            assertThat(entries.next().getValue()).isEqualTo("v");
        }
        assertThat(cache).isEmpty();
    }
}
