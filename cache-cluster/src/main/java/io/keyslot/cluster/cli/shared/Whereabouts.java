// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.EntryExplanation.Presence;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.client.codec.BytesCodec;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.cluster.terminal.Amounts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The location of an entry, with the status of all partitions. */
public record Whereabouts(EntryExplanation found, List<PartitionStatus> partitions) {
    /** No cache of an application has this name, so no cache configuration applies. */
    private static final String CACHE = "keyslot where";

    public Whereabouts {
        partitions = List.copyOf(partitions);
    }

    public static Whereabouts of(ConnectionOptions connection, EntityKey key) {
        try (PartitionedCacheManager manager = connection.open();
                PartitionedCache<EntityKey, byte[]> cache =
                        manager.createCache(CACHE, configuration(key, connection.options()))) {
            return new Whereabouts(cache.explain(key), manager.partitions());
        }
    }

    /** Only the location of entries and the raw layout matter, because no value is decoded. */
    private static PartitionedConfiguration<EntityKey, byte[]> configuration(EntityKey key, ClientOptions options) {
        PartitionedConfiguration<EntityKey, byte[]> configuration = new PartitionedConfiguration<EntityKey, byte[]>()
                .setTypes(EntityKey.class, byte[].class)
                .setEntityType(key.type())
                .setCodecFactory(BytesCodec::new)
                .setLayout(layoutOf(key.type(), options));
        EntityKey group = key.group();
        return group == null ? configuration : configuration.setGroupedBy(group.type());
    }

    private static ValueLayout layoutOf(String type, ClientOptions options) {
        return options.caches().entrySet().stream()
                .filter(cache ->
                        type.equals(Objects.requireNonNullElse(cache.getValue().entityType(), cache.getKey())))
                .map(cache -> cache.getValue().layout())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(ValueLayout.KEYSLOT);
    }

    /** Returns the fields by name in display order; {@code isStored} is whether partitions store entries. */
    public static Map<String, String> fields(EntryExplanation found, boolean isStored) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("entity key", found.entityKey());
        fields.put("slot", Integer.toString(found.slot()));
        fields.put("partition", found.partition().name());
        if (isStored) {
            fields.put("address", found.address());
            fields.put("state", ConstantText.of(found.state()));
            fields.put("entry", ConstantText.of(found.presence()));
        }
        if (isStored && found.presence() == Presence.PRESENT) {
            Duration timeToLive = found.timeToLive();
            fields.put("time to live", timeToLive == null ? "does not expire" : Amounts.duration(timeToLive));
            fields.put("size", Amounts.count(found.sizeBytes()) + " bytes");
            fields.put("stamp", Long.toString(found.stamp()));
            fields.put("slot epoch", Integer.toString(found.slotEpoch()));
        }
        return fields;
    }
}
