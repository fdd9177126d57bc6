// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.layout.ValueLayout;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.near.NearValues;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.client.config.CacheOptions.ExpiryKind;
import io.keyslot.client.config.CacheOptions.StoredOptions;
import io.keyslot.client.config.ConfigNode.Mapping;
import io.keyslot.client.stored.Encryption;
import io.keyslot.client.stored.KeyHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;

/** Reads {@code caches}, one by one, and checks that they fit together. */
record CachesReader(Section root, @Nullable NearOptions near, NamedClasses classes, String namespace) {
    private static final String CACHES = "caches";
    private static final String LOADING = "loading";
    private static final String GUTTER = "gutter";
    private static final String WRITE_BEHIND = "writeBehind";
    private static final String NEAR = "near";
    private static final String FEED = "feed";
    private static final String ENCRYPTION = "encryption";
    private static final String HASHED_KEYS = "hashedKeys";
    private static final String COMPRESSION = "compression";
    private static final int COMPRESSED_FROM = 1 << 10;
    private static final String MAXIMUM_ENTRIES = "maximumEntries";
    private static final String MAXIMUM_SIZE = "maximumSize";
    private static final String WHEN_MISSING = "whenMissing";
    private static final String READS = "reads";
    private static final String MAX_STALENESS = "maxStaleness";
    private static final String ENTITY_TYPE = "entityType";
    private static final String GROUPED_BY = "groupedBy";
    private static final String RESERVED = "keyslot";

    /** A cache as written in the file, before it is compared with the others; options that cannot be read are left out. */
    private record Draft(String name, Section section, CacheOptions options) {
        String entityType() {
            return options.entityType() == null ? name : options.entityType();
        }
    }

    /** Returns the options by the name of the cache; incomplete ones for caches with problems. */
    Map<String, CacheOptions> read() {
        List<Draft> drafts = new ArrayList<>();
        root.checkMapping(CACHES);
        if (root.node(CACHES).orElse(null) instanceof Mapping mapping) {
            mapping.entries().forEach((name, node) -> {
                Section section = root.named(CACHES, name, node);
                drafts.add(new Draft(name, section, cache(section)));
            });
        }
        checkTogether(drafts);
        Map<String, CacheOptions> caches = new LinkedHashMap<>();
        drafts.forEach(draft -> caches.put(draft.name(), draft.options()));
        return caches;
    }

    /** Returns the options of a cache that is not named. */
    CacheOptions unnamed() {
        return cache(root.named(CACHES, "", new Mapping(root.mapping().where(), Map.of())));
    }

    private void checkTogether(List<Draft> caches) {
        if (namespace.isEmpty()) {
            caches.stream()
                    .filter(cache -> cache.entityType().equals(RESERVED))
                    .forEach(cache -> cache.section()
                            .problem(
                                    ENTITY_TYPE,
                                    "is \"keyslot\", which Keyslot uses itself: name another one, or set a namespace"));
        }
        Map<String, Draft> byType = new HashMap<>();
        for (Draft cache : caches) {
            Draft first = byType.putIfAbsent(cache.entityType(), cache);
            if (first != null) {
                cache.section()
                        .problem(
                                ENTITY_TYPE,
                                "is %s, as that of the cache %s: each cache needs its own"
                                        .formatted(Problems.quoted(cache.entityType()), Problems.key(first.name())));
            }
        }
        caches.forEach(cache -> checkGroup(cache, byType));
    }

    private static void checkGroup(Draft cache, Map<String, Draft> byType) {
        String rootType = cache.options().groupedBy();
        if (rootType == null) {
            return;
        }
        Draft rootCache = byType.get(rootType);
        if (rootCache != null && rootCache.options().stored().hashedKeys() != null) {
            cache.section()
                    .problem(
                            GROUPED_BY,
                            "is %s, whose keys are hashed, so that it has no groups: leave out groupedBy, or hashedKeys of %s"
                                    .formatted(Problems.quoted(rootType), Problems.key(rootCache.name())));
        }
        if (rootType.equals(cache.entityType())) {
            cache.section().problem(GROUPED_BY, "is the entity type of the cache itself, must be that of another");
        } else if (rootCache != null && rootCache.options().groupedBy() != null) {
            cache.section()
                    .problem(
                            GROUPED_BY,
                            "is %s, which is in a group itself: name the root of that group"
                                    .formatted(Problems.quoted(rootType)));
        }
    }

    private CacheOptions cache(Section section) {
        Optional<Boolean> readThrough = section.read("readThrough", Boolean.class);
        Optional<Boolean> writeThrough = section.read("writeThrough", Boolean.class);
        // A value that cannot be read is one problem, not one more for each setting that depends on it. The application
        // may still set what the file leaves open; the cache is checked as a whole when it is created.
        boolean readsThrough = readThrough.orElse(true);
        boolean writesThrough = writeThrough.orElse(true);
        Optional<ExpiryKind> expiry = expiry(section);
        Optional<ExpiryKind> eternal = expiry.filter(ExpiryKind.ETERNAL::equals);
        Optional<Duration> ttl = section.read("ttl", Duration.class);
        boolean expires = ttl.isPresent() && eternal.isEmpty();
        return new CacheOptions(
                expires ? ttl.get() : null,
                expires ? expiry.orElse(ExpiryKind.MODIFIED) : eternal.orElse(null),
                section.read(ENTITY_TYPE, String.class).orElse(null),
                section.read(GROUPED_BY, String.class).orElse(null),
                section.read("indexed", Boolean.class).orElse(null),
                classes.type(section, "keyType").orElse(null),
                classes.type(section, "valueType").orElse(null),
                classes.codec(section, "codec").orElse(null),
                section.read("layout", ValueLayout.class).orElse(null),
                missingPartition(section, readsThrough).orElse(null),
                section.read("missingPartitionWrites", MissingPartitionWritePolicy.class)
                        .orElse(null),
                gutter(section).orElse(null),
                readThrough.orElse(null),
                classes.maker(section, "loader", CacheLoader.class).orElse(null),
                loading(section, readsThrough, expiry).orElse(null),
                replicaReads(section).orElse(null),
                writeThrough.orElse(null),
                classes.maker(section, "writer", CacheWriter.class).orElse(null),
                writeBehind(section, writesThrough).orElse(null),
                section.node(NEAR).isEmpty() ? near : near(section).orElse(null),
                section.read("statistics", Boolean.class).orElse(null),
                section.read("management", Boolean.class).orElse(null),
                section.read("events", EventScope.class).orElse(null),
                feed(section).orElse(null),
                new StoredOptions(
                        encryption(section).orElse(null),
                        compression(section).orElse(null),
                        hasDictionary(section),
                        section.read(HASHED_KEYS, byte[].class)
                                .map(KeyHash::new)
                                .orElse(null)));
    }

    private static Optional<Integer> compression(Section cache) {
        if (cache.node(COMPRESSION).orElse(null) instanceof Mapping) {
            return Optional.of(Math.toIntExact(cache.section(COMPRESSION).value("from", Long.class)));
        }
        return cache.read(COMPRESSION, Boolean.class).filter(isOn -> isOn).map(isOn -> COMPRESSED_FROM);
    }

    private static boolean hasDictionary(Section cache) {
        boolean isSampled = cache.node(COMPRESSION).orElse(null) instanceof Mapping
                && cache.section(COMPRESSION).value("dictionary", String.class).equals("sampled");
        if (isSampled && cache.node(ENCRYPTION).isPresent()) {
            cache.section(COMPRESSION)
                    .problem(
                            "dictionary",
                            "is sampled, which stores pieces of values that are not encrypted: leave out encryption or dictionary");
        }
        return isSampled;
    }

    private static Optional<Encryption> encryption(Section cache) {
        if (cache.node(ENCRYPTION).isEmpty()) {
            return Optional.empty();
        }
        Section section = cache.section(ENCRYPTION);
        List<byte[]> previous = section.readAll("previous", byte[].class);
        if (section.node("key").isEmpty()) {
            section.problem("key", "is missing: name the file with the key, such as ${file:/run/secrets/cache-key}");
        }
        return section.read("key", byte[].class).map(key -> new Encryption(key, previous));
    }

    private static Optional<FeedOptions> feed(Section cache) {
        if (!(cache.node(FEED).orElse(null) instanceof Mapping)) {
            return cache.read(FEED, Boolean.class).filter(isOn -> isOn).map(isOn -> FeedOptions.defaults());
        }
        Section section = cache.section(FEED);
        return Optional.of(new FeedOptions(
                section.value("keep", Duration.class),
                section.value("atMost", Integer.class),
                section.value("values", Boolean.class)));
    }

    private static Optional<ExpiryKind> expiry(Section section) {
        Optional<ExpiryKind> expiry = section.read("expiry", ExpiryKind.class);
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
        Optional<MissingPartitionPolicy> missing = section.read("missingPartition", MissingPartitionPolicy.class);
        if (missing.isPresent() && missing.get() == MissingPartitionPolicy.LOADER && !readThrough) {
            section.problem(
                    "missingPartition", "is loader, which needs a cache that reads through, and readThrough is false");
        }
        return missing;
    }

    private static Optional<Duration> gutter(Section cache) {
        Section section = cache.section(GUTTER);
        if (cache.node(GUTTER).orElse(null) instanceof Mapping
                && section.node("for").isEmpty()) {
            section.problem("for", "is missing: say how long copies are kept, such as 10s");
        }
        return section.read("for", Duration.class);
    }

    /** Returns the options of loading, if any; {@code readsThrough} is false if the file turns read-through off. */
    private static Optional<LoadingOptions> loading(Section cache, boolean readsThrough, Optional<ExpiryKind> expiry) {
        Section section = cache.section(LOADING);
        if (section.isEmpty()) {
            return Optional.empty();
        }
        if (!readsThrough) {
            cache.problem(LOADING, "needs a cache that reads through, and readThrough is false");
        }
        LoadingOptions options = new LoadingOptions(
                section.read("timeout", Duration.class)
                        .orElse(LoadingOptions.defaults().timeout()),
                section.value("patience", Duration.class),
                LoadingOptions.defaults().jitter(),
                section.value("staleWhileRevalidate", Duration.class),
                section.value("staleIfError", Duration.class),
                section.value("negativeTtl", Duration.class),
                section.value("bulkhead", Integer.class));
        checkExpiry(
                section, "staleWhileRevalidate", !options.staleWhileRevalidate().isZero(), expiry);
        checkExpiry(section, "staleIfError", !options.staleIfError().isZero(), expiry);
        return Optional.of(options);
    }

    private static void checkExpiry(Section loading, String key, boolean on, Optional<ExpiryKind> expiry) {
        if (on && expiry.filter(ExpiryKind.ETERNAL::equals).isPresent()) {
            loading.problem(key, "needs entries that expire: if expiry is eternal, no value becomes stale");
        } else if (on && expiry.filter(ExpiryKind::movesWithAccess).isPresent()) {
            loading.problem(
                    key,
                    "needs expiry created or modified: otherwise every access moves the moment at which a value"
                            + " becomes stale");
        }
    }

    /** Reads {@code reads} and {@code maxStaleness}, which depend on each other. */
    private static Optional<ReplicaReads> replicaReads(Section cache) {
        Optional<Setting.Reads> wanted =
                cache.read(READS, Setting.Reads.class).filter(reads -> reads != Setting.Reads.PRIMARY);
        Optional<Duration> bound = cache.read(MAX_STALENESS, Duration.class);
        boolean isBounded = cache.node(MAX_STALENESS).isPresent();
        if (wanted.isPresent() && !isBounded) {
            cache.problem(
                    READS,
                    "is %s, which needs maxStaleness, such as 500ms"
                            .formatted(wanted.get().name().toLowerCase(Locale.ROOT)));
        } else if (isBounded && cache.node(READS).isEmpty()) {
            cache.problem(MAX_STALENESS, "is given, but reads is not: write reads: replica, or leave it away");
        }
        return wanted.flatMap(
                reads -> bound.map(reads == Setting.Reads.REPLICA ? ReplicaReads::upTo : ReplicaReads::nearest));
    }

    private static Optional<WriteBehindOptions> writeBehind(Section cache, boolean writesThrough) {
        boolean isMapping = cache.node(WRITE_BEHIND).orElse(null) instanceof Mapping;
        if (!isMapping && !cache.read(WRITE_BEHIND, Boolean.class).orElse(false)) {
            return Optional.empty();
        }
        if (!writesThrough) {
            cache.problem(WRITE_BEHIND, "needs a cache that writes through, and writeThrough is false");
        }
        if (!isMapping) {
            return Optional.of(WriteBehindOptions.defaults());
        }
        Section section = cache.section(WRITE_BEHIND);
        return Optional.of(new WriteBehindOptions(
                section.value("delay", Duration.class),
                section.value("queue", Integer.class),
                section.value("batch", Integer.class),
                section.value("attempts", Integer.class),
                WriteBehindOptions.defaults().closeWait()));
    }

    /**
     * Reads {@code near} of a cache, or of all caches: a mapping that turns it on, or {@code false}, which overrides the
     * file or the setting of all caches. Empty also without a bound.
     */
    static Optional<NearOptions> near(Section parent) {
        if (!(parent.node(NEAR).orElse(null) instanceof Mapping)) {
            parent.read(NEAR, Boolean.class);
            return Optional.empty();
        }
        Section section = parent.section(NEAR);
        // Reads all settings before the bound is checked, to report all problems.
        Optional<NearOptions> bounded = bounded(parent, section);
        Optional<Duration> staleness = section.read("staleness", Duration.class);
        Optional<NearValues> values = section.read("values", NearValues.class);
        Optional<Duration> served = served(section);
        return bounded.map(options -> options.withStaleness(staleness.orElse(options.staleness()))
                .withValues(values.orElse(options.values()))
                .withWhenMissing(served.orElse(options.whenMissing())));
    }

    private static Optional<NearOptions> bounded(Section parent, Section section) {
        Optional<NearOptions> byEntries =
                section.read(MAXIMUM_ENTRIES, Integer.class).map(NearOptions::ofEntries);
        Optional<NearOptions> bySize = section.read(MAXIMUM_SIZE, Long.class).map(NearOptions::ofSize);
        boolean hasEntries = section.node(MAXIMUM_ENTRIES).isPresent();
        boolean hasSize = section.node(MAXIMUM_SIZE).isPresent();
        if (!hasEntries && !hasSize) {
            parent.problem(NEAR, "needs maximumEntries or maximumSize");
        } else if (hasEntries && hasSize) {
            section.problem(MAXIMUM_SIZE, "is given, but maximumEntries is given too: leave one of them away");
        }
        return byEntries.or(() -> bySize);
    }

    private static Optional<Duration> served(Section section) {
        if (!(section.node(WHEN_MISSING).orElse(null) instanceof Mapping)) {
            section.read(WHEN_MISSING, Boolean.class);
            return Optional.empty();
        }
        Section missing = section.section(WHEN_MISSING);
        if (missing.isEmpty()) {
            section.problem(WHEN_MISSING, "is empty, must be drop, or a mapping such as serve: 30s");
        }
        return missing.read("serve", Duration.class);
    }
}
