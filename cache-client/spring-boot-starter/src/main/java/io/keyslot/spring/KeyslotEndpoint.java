// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** {@code /actuator/keyslot}: partitions, the map, and the caches that are open. It changes nothing, and shows no key and no value. */
@Endpoint(id = "keyslot")
public final class KeyslotEndpoint {
    private final PartitionedCacheManager manager;

    KeyslotEndpoint(PartitionedCacheManager manager) {
        this.manager = manager;
    }

    @ReadOperation
    public Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("slotMapVersion", manager.slotMap().version());
        Map<String, Object> partitions = new LinkedHashMap<>();
        PartitionHealth.of(manager).forEach(health -> partitions.put(health.name(), health.details()));
        all.put("partitions", partitions);
        List<Map<String, Object>> caches = new ArrayList<>();
        manager.getCacheNames().forEach(name -> caches.add(cache(name)));
        all.put("caches", caches);
        return all;
    }

    /** Returns one partition, null if there is none of this name. */
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
            shown.put("near", configuration.getNear() != null);
            shown.put("replicated", configuration.isReplicated());
        }
        return shown;
    }
}
