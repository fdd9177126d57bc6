// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.EntityKey;
import io.keyslot.cache.EntryExplanation;
import io.keyslot.cache.EntryExplanation.Presence;
import io.keyslot.cache.PartitionStatus;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.cluster.terminal.Amounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "where",
        description = "Shows the slot and the partition of an entry, and the state of the entry.",
        footer = {
            "Without --config and --partitions, it assumes three partitions with equal shares, as does an"
                    + " application without configuration.",
            "  keyslot where customer:99",
            "  keyslot where 'order:{customer:99}:1001' --config keyslot.yaml",
            "  keyslot where customer:99 --partitions redis://r1:6379,redis://r2:6379"
        })
final class WhereCommand extends OperatorCommand {
    /** No cache of an application has this name, so no cache configuration applies. */
    private static final String CACHE = "keyslot where";

    @Parameters(
            paramLabel = "<entity key>",
            description = "The stored key: customer:99, or order:{customer:99}:1001 for a member of a group.")
    private String text = "";

    @Override
    public Integer call() {
        EntityKey key = parsed(text, this);
        Found where = find(connection, key);
        EntryExplanation found = where.entry();
        boolean isStored = !connection.isEmpty();
        Map<String, String> fields = fields(found, isStored);
        print(() -> fields, () -> lines(fields));
        if (found.presence() != Presence.PRESENT && isOfNoCache(key, connection.options())) {
            ErrorLine.print(terminal(), noCache(key, connection.options()));
            return ExitCode.FAILED;
        }
        if (!isStored || found.presence() != Presence.UNKNOWN) {
            return ExitCode.OK;
        }
        where.partitions().stream()
                .filter(partition -> partition.id().equals(found.partition()))
                .forEach(partition -> terminal().err().println(ErrorLine.of(partition)));
        return ExitCode.FAILED;
    }

    /** Without caches, the configuration is not that of an application. */
    static boolean isOfNoCache(EntityKey key, ClientOptions options) {
        Set<String> types = types(options);
        return !types.isEmpty() && !types.contains(key.type());
    }

    static String noCache(EntityKey key, ClientOptions options) {
        return "No cache of the configuration has keys of the type %s; it has %s"
                .formatted(key.type(), String.join(", ", types(options)));
    }

    /** Returns the types of the entries, and of the roots of their groups. */
    private static Set<String> types(ClientOptions options) {
        Set<String> types = new TreeSet<>();
        options.caches().forEach((name, cache) -> {
            types.add(Objects.requireNonNullElse(cache.entityType(), name));
            if (cache.groupedBy() != null) {
                types.add(cache.groupedBy());
            }
        });
        return types;
    }

    /** The location of an entry, with the status of all partitions. */
    record Found(EntryExplanation entry, List<PartitionStatus> partitions) {}

    static Found find(ConnectionOptions connection, EntityKey key) {
        try (PartitionedCacheManager manager = connection.open();
                PartitionedCache<EntityKey, byte[]> cache =
                        manager.createCache(CACHE, configuration(key, connection.options()))) {
            return new Found(cache.explain(key), manager.partitions());
        }
    }

    static EntityKey parsed(String text, OperatorCommand command) {
        try {
            return EntityKey.parse(text);
        } catch (IllegalArgumentException e) {
            throw command.misused(ErrorLine.messageOf(e), e);
        }
    }

    /** Only the location of entries and the raw layout matter, because no value is decoded. */
    private static PartitionedConfiguration<EntityKey, byte[]> configuration(EntityKey key, ClientOptions options) {
        PartitionedConfiguration<EntityKey, byte[]> configuration = new PartitionedConfiguration<EntityKey, byte[]>()
                .setTypes(EntityKey.class, byte[].class)
                .setEntityType(key.type())
                .setCodecFactory(() -> Codecs.BYTES)
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
    static Map<String, String> fields(EntryExplanation found, boolean isStored) {
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

    private static List<String> lines(Map<String, String> fields) {
        List<String> lines = new ArrayList<>();
        fields.forEach((name, value) -> lines.add(name + " ".repeat(Math.max(1, 14 - name.length())) + value));
        return lines;
    }
}
