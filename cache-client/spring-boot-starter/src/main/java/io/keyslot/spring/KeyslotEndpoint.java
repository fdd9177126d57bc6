// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.near.NearCache;
import io.keyslot.client.routing.Layout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * {@code /actuator/keyslot}: partitions, the map and its moves, groups that are too large, and open caches. Sends
 * nothing to servers, and shows no key and no value.
 */
@Endpoint(id = "keyslot")
public final class KeyslotEndpoint {
    private final PartitionedCacheManager manager;
    private final @Nullable TooLargeGroups groups;

    KeyslotEndpoint(PartitionedCacheManager manager, @Nullable TooLargeGroups groups) {
        this.manager = manager;
        this.groups = groups;
    }

    @ReadOperation
    public Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("slotMapVersion", manager.slotMap().version());
        all.put("slotsOnTheirWay", SlotsOnTheirWay.of(manager.unwrap(Layout.class)));
        Map<String, Object> partitions = new LinkedHashMap<>();
        PartitionHealth.of(manager).forEach(health -> partitions.put(health.name(), health.details()));
        all.put("partitions", partitions);
        List<Map<String, Object>> caches = new ArrayList<>();
        manager.getCacheNames().forEach(name -> caches.add(cache(name)));
        all.put("caches", caches);
        if (groups != null) {
            all.put("groupsTooLarge", groups.byRoot());
        }
        return all;
    }

    /** Returns a partition, null if there is none with this name. */
    @ReadOperation
    public @Nullable Map<String, Object> partition(@Selector String name) {
        return PartitionHealth.of(manager, name).map(PartitionHealth::details).orElse(null);
    }

    @SuppressWarnings("unchecked") // the types of a cache are not known here
    private Map<String, Object> cache(String name) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", name);
        Cache<?, ?> cache = manager.getCache(name);
        if (cache != null) {
            PartitionedConfiguration<?, ?> configuration = cache.getConfiguration(PartitionedConfiguration.class);
            shown.put("keyType", configuration.getKeyType().getName());
            shown.put("valueType", configuration.getValueType().getName());
            shown.put("near", configuration.getNear() == null ? Map.of("on", false) : near(cache));
        }
        return shown;
    }

    /** A cache whose expiry depends on accesses bypasses its near cache, whatever its configuration says. */
    private static Map<String, Object> near(Cache<?, ?> cache) {
        Map<String, Object> shown = new LinkedHashMap<>();
        try {
            NearCache.Counts counts = cache.unwrap(NearCache.Counts.class);
            shown.put("on", true);
            shown.put("hits", counts.hits());
            shown.put("misses", counts.misses());
            shown.put("copies", counts.entries());
            shown.put("bytes", counts.bytes());
        } catch (IllegalArgumentException e) {
            shown.put("on", false);
        }
        return shown;
    }
}
