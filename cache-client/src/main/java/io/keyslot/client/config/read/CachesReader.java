// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.config.CacheOptions;
import io.keyslot.client.config.ExpiryKind;
import io.keyslot.client.config.read.ConfigNode.Mapping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/** Reads {@code caches}, one by one; {@link CacheRelations} compares them. */
final class CachesReader {
    private static final String CACHES = "caches";
    private static final String READ_THROUGH = "readThrough";
    private static final String WRITE_THROUGH = "writeThrough";

    private final Section root;
    private final EntryLimits limits;
    private final @Nullable NearOptions near;
    private final NamedClasses classes;
    private final String namespace;

    CachesReader(Section root, EntryLimits limits, @Nullable NearOptions near, NamedClasses classes, String namespace) {
        this.root = root;
        this.limits = limits;
        this.near = near;
        this.classes = classes;
        this.namespace = namespace;
    }

    /** Returns the options by the name of the cache; incomplete ones for caches with problems. */
    Map<String, CacheOptions> read() {
        List<CacheDraft> drafts = new ArrayList<>();
        root.checkMapping(CACHES);
        if (root.node(CACHES).orElse(null) instanceof Mapping mapping) {
            mapping.entries().forEach((name, node) -> {
                Section section = root.named(CACHES, name, node);
                drafts.add(new CacheDraft(name, section, cache(section)));
            });
        }
        CacheRelations.check(drafts, namespace);
        Map<String, CacheOptions> caches = new LinkedHashMap<>();
        drafts.forEach(draft -> caches.put(draft.name(), draft.options()));
        return caches;
    }

    private CacheOptions cache(Section section) {
        Optional<Boolean> readThrough = section.read(READ_THROUGH, ValueType.FLAG);
        Optional<Boolean> writeThrough = section.read(WRITE_THROUGH, ValueType.FLAG);
        // A value that cannot be read is one problem, not one more for each setting that depends on it. The application
        // may still set what the file leaves open; the cache is checked as a whole when it is created.
        boolean readsThrough = readThrough.orElse(true);
        boolean writesThrough = writeThrough.orElse(true);
        Optional<ExpiryKind> expiry = expiry(section);
        Optional<Duration> ttl = section.read("ttl", Durations.POSITIVE);
        boolean expires =
                ttl.isPresent() && expiry.filter(ExpiryKind.ETERNAL::equals).isEmpty();
        return new CacheOptions(
                new CacheOptions.Lifetime(
                        expires ? ttl.get() : null,
                        expires
                                ? expiry.orElse(ExpiryKind.MODIFIED)
                                : expiry.filter(ExpiryKind.ETERNAL::equals).orElse(null)),
                new CacheOptions.Home(
                        section.read("entityType", ValueType.NAME).orElse(null),
                        section.read("groupedBy", ValueType.NAME).orElse(null),
                        section.read("indexed", ValueType.FLAG).orElse(null)),
                new CacheOptions.Types(
                        classes.type(section, "keyType").orElse(null),
                        classes.type(section, "valueType").orElse(null),
                        classes.codec(section, "codec").orElse(null),
                        section.read("layout", ValueType.oneOf(ValueLayout.class))
                                .orElse(null)),
                new CacheOptions.Missing(
                        missingPartition(section, readsThrough).orElse(null),
                        section.read("missingPartitionWrites", ValueType.oneOf(MissingPartitionWritePolicy.class))
                                .orElse(null)),
                new CacheOptions.Source(
                        readThrough.orElse(null),
                        classes.maker(section, "loader", CacheLoader.class).orElse(null),
                        LoadingReader.read(section, readsThrough, expiry).orElse(null),
                        ReplicaReader.read(section).orElse(null)),
                new CacheOptions.Sink(
                        writeThrough.orElse(null),
                        classes.maker(section, "writer", CacheWriter.class).orElse(null),
                        WriteBehindReader.read(section, writesThrough).orElse(null)),
                NearReader.read(section, near),
                new CacheOptions.Shown(
                        section.read("statistics", ValueType.FLAG).orElse(null),
                        section.read("management", ValueType.FLAG).orElse(null),
                        section.read("events", ValueType.oneOf(EventScope.class))
                                .orElse(null)),
                LimitsReader.overridden(section.section("limits"), limits).orElse(null));
    }

    private static Optional<ExpiryKind> expiry(Section section) {
        Optional<ExpiryKind> expiry = section.read("expiry", ValueType.oneOf(ExpiryKind.class));
        expiry.ifPresent(kind -> {
            boolean eternal = kind == ExpiryKind.ETERNAL;
            if (eternal && section.node("ttl").isPresent()) {
                section.problem("ttl", "is given, but expiry is eternal: leave one of them away");
            } else if (!eternal && section.node("ttl").isEmpty()) {
                section.problem("expiry", "needs a ttl");
            }
        });
        return expiry;
    }

    private static Optional<MissingPartitionPolicy> missingPartition(Section section, boolean readThrough) {
        Optional<MissingPartitionPolicy> missing =
                section.read("missingPartition", ValueType.oneOf(MissingPartitionPolicy.class));
        if (missing.isPresent() && missing.get() == MissingPartitionPolicy.LOADER && !readThrough) {
            section.problem(
                    "missingPartition", "is loader, which needs a cache that reads through, and readThrough is false");
        }
        return missing;
    }
}
