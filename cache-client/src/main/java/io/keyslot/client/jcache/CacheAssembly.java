// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.feed.FeedBatch;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.feed.FeedStart;
import io.keyslot.cache.feed.FeedSubscription;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.client.Client;
import io.keyslot.client.codec.AllowedClasses;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.Compression;
import io.keyslot.client.codec.Dictionaries;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.codec.VerifiedCodec.TypedCodec;
import io.keyslot.client.concurrent.AsyncCalls;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.LogPace;
import io.keyslot.client.config.CacheOptions.StoredOptions;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.EntryChanges;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.entry.LocalKeys;
import io.keyslot.client.entry.LocalLeases;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.key.KeyCodec.KeySpace;
import io.keyslot.client.near.NearCache;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.TrafficSampler;
import io.keyslot.client.partition.TrafficSampler.CacheCounts;
import io.keyslot.client.replica.ReplicaChannel;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.telemetry.CacheTelemetry;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the parts of one cache together, each after those that it needs: keys and values, the way to the partitions,
 * listeners and the writer, loads and reads, changes. So it shows the path of a get and a put. For one use.
 */
final class CacheAssembly<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(CacheAssembly.class);

    /** Instances store the record of their user under this type. */
    private static final String RESERVED_TYPE = "keyslot";

    /** How long a caller with its own method waits for another process that calls one for the same entry. */
    private static final Duration METHOD_PATIENCE = Duration.ofSeconds(30);

    /** High, as each such method has a thread of the application already, with or without the cache. */
    private static final int METHODS_AT_ONCE = 10_000;

    final KeyslotCacheManager manager;
    final PartitionedConfiguration<K, V> configuration;
    final CacheLifecycle lifecycle;
    final CacheCalls<K> calls;
    final ValueCoder<V> coder;
    final ExpiryRules rules;
    final Lifetimes lifetimes;
    final EventPublisher<K, V> publisher;
    final ChangeWriter<K, V> writer;
    final @Nullable NearCache<K, V> near;
    final CacheReads<K, V> reads;
    final Loads<K, V> loads;
    final CacheWrites<K, V> writes;
    final EntryProcessors<K, V> processors;
    final CacheScans<K, V> scans;
    final Explaining<K, V> explaining;
    final FailSafeCalls<K, V> failSafe;
    final AsyncCalls async;
    final @Nullable Feed feed;

    private final Client client;
    private final CacheTelemetry telemetry;
    private final EntryStore<V> store;
    private final LoadingOptions loading;
    /** The cache for the application, which is known when its parts are. */
    private final AtomicReference<@Nullable PartitionedCache<K, V>> face = new AtomicReference<>();

    /** Creates a cache, whose entity type must differ from those of {@code others}; closes its parts if that fails. */
    static <K, V> KeyslotCache<K, V> open(
            KeyslotCacheManager manager,
            ConfigurationMerge merge,
            String name,
            Configuration<K, V> given,
            List<KeyslotCache<?, ?>> others) {
        Client client = manager.client();
        CacheTelemetry telemetry = client.telemetry().cache(name);
        CacheLifecycle lifecycle = new CacheLifecycle(name, telemetry, new CacheBeans(manager.getURI(), name));
        EventDispatcher<K, V> events = new EventDispatcher<>(
                name,
                new SerialExecutor("Cache " + name, client.async()),
                new LogPace(client.timing().ticker()));
        try {
            PartitionedConfiguration<K, V> configuration = merge.merged(name, given);
            String entityType = Objects.requireNonNullElse(configuration.getEntityType(), name);
            checkEntityType(client, name, entityType, others);
            return new CacheAssembly<>(manager, merge, name, entityType, configuration, telemetry, lifecycle, events)
                    .opened(events);
        } catch (RuntimeException | Error e) {
            Closing.after(e, List.of(() -> lifecycle.release(events)));
            throw e;
        }
    }

    private CacheAssembly(
            KeyslotCacheManager manager,
            ConfigurationMerge merge,
            String name,
            String entityType,
            PartitionedConfiguration<K, V> configuration,
            CacheTelemetry telemetry,
            CacheLifecycle lifecycle,
            EventDispatcher<K, V> events) {
        this.manager = manager;
        this.telemetry = telemetry;
        this.client = manager.client();
        this.configuration = configuration;
        this.lifecycle = lifecycle;
        this.loading = Objects.requireNonNullElse(configuration.getLoading(), LoadingOptions.defaults());

        // Keys and values.
        this.feed = feedOf(client.options().namespace(), entityType, configuration.getFeed());
        EntryLimits limits = configuration.getLimits(client.options().limits());
        AllowedClasses allowed = client.allowed().with(configuration.getKeyType(), configuration.getValueType());
        StoredOptions stored = client.options().storedOf(entityType);
        KeyCodec<K> keys = keysOf(entityType, merge.codecOf(name), allowed, stored);
        this.calls = new CacheCalls<>(
                name,
                keys,
                limits,
                client.options().deadlines().call(),
                client.timing().ticker());
        this.coder = coderOf(codecOf(merge.codecOf(name), allowed), limits, stored, entityType);
        CacheLoader<K, V> source = loaderOf();
        CacheWriter<? super K, ? super V> given = create(configuration.getCacheWriterFactory());
        this.rules = rulesOf();
        this.lifetimes = timesOf(loading);

        // The way to the partitions.
        this.near = nearOf();
        LocalLeases leases = RawOptions.areIn(configuration) ? new LocalLeases() : null;
        Channel channel = channelOf(leases);
        Duration kept = configuration.getGutter();
        Gutter gutter = kept == null
                ? null
                : new Gutter(
                        client.router(),
                        client.recentWrites(),
                        kept,
                        telemetry,
                        client.timing().ticker());
        List<EntryChanges> changes = new ArrayList<>(client.changes());
        if (gutter != null) {
            changes.add(gutter);
        }
        EntryCalls entries = new EntryCalls(client.router(), channel, client.waiter(), List.copyOf(changes), leases);
        this.store = EntryStore.of(
                entries,
                coder,
                calls.failures(),
                telemetry,
                client.recentWrites(),
                client.history(),
                client.timing().ticker());
        KeyScan scan = new KeyScan(client.router(), entries, keys.prefix(), mark(), calls.failures());

        // Listeners and the writer.
        this.publisher = new EventPublisher<>(
                events,
                this::face,
                coder::copy,
                new CacheCounters(configuration.isStatisticsEnabled(), telemetry, reportedCounts()),
                client.queues());
        if (configuration.getEvents() == EventScope.FEED) {
            events.listenTo(threads -> read(null, FeedStart.latest(), publisher::publish, threads));
        }
        this.writer = writerOf(given);

        // Loads and reads.
        ReadPolicy policy = new ReadPolicy(
                loading,
                configuration.isReadThrough() && source != null,
                missingPartition(),
                client.timing().ticker());
        LeaseRenewals renewals = new LeaseRenewals(
                client.router(), client.timing(), client.options().deadlines().command());
        LoaderCalls<K, V> loader = new LoaderCalls<>(
                calls,
                writer.aware(source),
                writer,
                policy,
                client.telemetry().carrying(client.loaders()),
                client.refreshes(),
                client.waiter(),
                publisher.counters(),
                new AtomicInteger());
        Loads<K, V> copies =
                gutter == null ? null : loadsOf(renewals, loader, timesOf(LoadingOptions.defaults()), gutter, null);
        this.loads = loadsOf(renewals, loader, lifetimes, null, copies);
        this.reads = new CacheReads<>(calls, store, publisher.counters(), rules, policy, loads, near);

        // Changes.
        Supplier<Contention> contentions = () ->
                new Contention(client.timing().ticker(), client.timing().random(), client.waiter(), calls.failures());
        WriteThrough<K, V> first = writer.first();
        EntryUpdates<K, V> updates = new EntryUpdates<>(
                calls,
                store,
                publisher,
                contentions,
                writer,
                lifetimes,
                first == null
                        ? null
                        : new WriteThroughUpdate<>(calls, store, renewals, contentions, first, publisher, lifetimes));
        FailedWrites<K, V> failed = new FailedWrites<>(
                calls, store, writer, writePolicy(MissingPartitionWritePolicy.FAIL), policy, telemetry);
        Parallel parallel = new Parallel(client.telemetry().carrying(client.async()), client.waiter());
        this.writes = new CacheWrites<>(calls, store, publisher, updates, failed, rules, putRules(), scan, near);
        this.processors = new EntryProcessors<>(calls, store, updates, loads, failed, publisher, rules, parallel);
        LogPace pace = new LogPace(calls.ticker());
        this.scans = new CacheScans<>(calls, scan, store, publisher.counters(), reads, parallel, pace);
        this.explaining = new Explaining<>(
                calls,
                store,
                client.router(),
                client.groupWatch(),
                client.waiter(),
                client.history(),
                near,
                channel instanceof ReplicaChannel replicas ? replicas : null);

        this.async = new AsyncCalls(client.async(), client.telemetry());

        // The fail-safe form, whose callers load by methods of their own.
        FailedWrites<K, V> journaled = new FailedWrites<>(
                calls, store, writer, writePolicy(MissingPartitionWritePolicy.JOURNAL), policy, telemetry);
        ReadPolicy byMethods = new ReadPolicy(
                (configuration.getLoading() == null ? loading.withPatience(METHOD_PATIENCE) : loading)
                        .withBulkhead(METHODS_AT_ONCE),
                true,
                MissingPartitionPolicy.LOADER,
                client.timing().ticker());
        this.failSafe = new FailSafeCache<>(
                reads,
                new CacheWrites<>(calls, store, publisher, updates, journaled, rules, putRules(), scan, near),
                new EntryProcessors<>(calls, store, updates, loads, journaled, publisher, rules, parallel),
                loads.with(loader.with(byMethods)),
                coder::problemOf,
                calls.name(),
                async,
                pace,
                telemetry);
    }

    private Lifetimes timesOf(LoadingOptions options) {
        return new Lifetimes(options, client.timing().ticker(), client.timing().random());
    }

    private Loads<K, V> loadsOf(
            LeaseRenewals renewals,
            LoaderCalls<K, V> loader,
            Lifetimes times,
            @Nullable Gutter gutter,
            @Nullable Loads<K, V> copies) {
        return new Loads<>(
                calls,
                store,
                new SingleFlights<>(coder::copy),
                renewals,
                loader,
                publisher,
                rules,
                times,
                client.waiter(),
                client.timing(),
                gutter,
                copies);
    }

    private @Nullable CacheCounts reportedCounts() {
        TrafficSampler sampler = client.router().sampler();
        if (sampler == null) {
            return null;
        }
        Closeable unused = lifecycle.create(() -> () -> sampler.forget(calls.name()));
        return sampler.cache(calls.name());
    }

    private KeyslotCache<K, V> opened(EventDispatcher<K, V> events) {
        KeyslotCache<K, V> cache = new KeyslotCache<>(this);
        face.set(ObservedCache.around(cache, telemetry, client.telemetry()));
        configuration.getCacheEntryListenerConfigurations().forEach(events::register);
        events.settle();
        lifecycle.showBeans(configuration, publisher.counters());
        telemetry.show(cache);
        writer.show(telemetry);
        return cache;
    }

    FeedSubscription subscribe(String group, FeedStart start, Consumer<? super FeedBatch<K, V>> handler) {
        if (feed == null) {
            throw new IllegalStateException("Cache %s: it has no feed to subscribe to; set caches.%s.feed"
                    .formatted(calls.name(), calls.name()));
        }
        CacheFeed<K, V> subscription = read(group, start, handler, client.feeds());
        lifecycle.add(subscription::close);
        return subscription;
    }

    private CacheFeed<K, V> read(
            @Nullable String group, FeedStart start, Consumer<? super FeedBatch<K, V>> handler, Executor threads) {
        CacheFeed<K, V> reader = new CacheFeed<>(
                Objects.requireNonNull(feed), group, start, handler, calls, coder, client, threads, telemetry);
        reader.begin();
        return reader;
    }

    /** Returns the cache for the application, which observes calls if that is configured. */
    PartitionedCache<K, V> face() {
        return Objects.requireNonNull(face.get());
    }

    private static void checkEntityType(
            Client client, String name, String entityType, List<KeyslotCache<?, ?>> others) {
        if (entityType.equals(RESERVED_TYPE) && client.options().namespace().isEmpty()) {
            throw new IllegalArgumentException(
                    "Cache %s: the entity type %s is ours, keyslot:meta says whose an instance is; set another entityType"
                            .formatted(name, RESERVED_TYPE));
        }
        for (KeyslotCache<?, ?> other : others) {
            if (entityType.equals(other.entityType())) {
                throw new IllegalArgumentException(
                        "Cache %s: its entity type %s is that of the cache %s; give one of them another by entityType"
                                .formatted(name, entityType, other.getName()));
            }
        }
    }

    private KeyCodec<K> keysOf(String entityType, String codec, AllowedClasses allowed, StoredOptions stored) {
        ClassLoader classLoader = manager.getClassLoader();
        KeyCodec<K> keys = KeyCodec.create(
                        new KeySpace(client.options().namespace(), entityType, configuration.getGroupedBy()),
                        configuration.getKeyType(),
                        classLoader,
                        allowed,
                        Codecs.ofKeys(codec, allowed, classLoader))
                .hashed(stored.hashedKeys());
        boolean isMarked = RawOptions.areIn(configuration) || isIndexed() || feed != null;
        return isMarked ? keys.marked(mark()) : keys;
    }

    /** Another program may have set the time to live of a raw entry, so only an expiry policy changes it. */
    private ExpiryRules putRules() {
        return RawOptions.areIn(configuration) ? rules : rules.ofPuts();
    }

    /** Returns the conversion of stored keys to keys of the cache. */
    private UnaryOperator<EncodedKey> mark() {
        if (RawOptions.areIn(configuration)) {
            return EncodedKey::raw;
        }
        return isIndexed() ? key -> key.in(feed).indexed() : key -> key.in(feed);
    }

    static @Nullable Feed feedOf(String namespace, String entityType, @Nullable FeedOptions options) {
        return options == null
                ? null
                : new Feed(
                        Feed.nameOf(namespace, entityType),
                        options.keep().toMillis(),
                        options.atMost(),
                        options.values());
    }

    private boolean isIndexed() {
        Boolean indexed = configuration.getIndexed();
        return indexed == null ? configuration.getGroupedBy() != null : indexed;
    }

    private ValueCoder<V> coderOf(Codec<V> codec, EntryLimits limits, StoredOptions stored, String entityType) {
        Class<V> type = configuration.getValueType();
        return RawOptions.areIn(configuration)
                ? ValueCoder.raw(calls.name(), new TypedCodec<>(codec, type), limits, client.stamps())
                : new ValueCoder<>(
                        calls.name(),
                        new VerifiedCodec<>(
                                codec,
                                type,
                                new Compression(
                                        Objects.requireNonNullElse(stored.compressedFrom(), Compression.OFF),
                                        limits.valueBytes(),
                                        stored.hasDictionary(),
                                        stored.encryption() == null ? dictionaries(entityType) : null)),
                        limits,
                        client.stamps(),
                        stored.encryption());
    }

    /** Each is an entry with a key of its own, which no cache has, and lasts. The limits of the cache are not for it. */
    private Dictionaries dictionaries(String entityType) {
        GroupHome home = GroupHome.ofOurs(client.options().namespace(), entityType);
        ValueCoder<byte[]> plain = new ValueCoder<>(
                calls.name(),
                new VerifiedCodec<>(Codecs.BYTES, byte[].class),
                EntryLimits.defaults(),
                client.stamps(),
                null);
        EntryCalls entries = new EntryCalls(client.router(), client.router(), client.waiter(), List.of());
        return new Dictionaries(
                name -> {
                    EncodedKey key = home.dictionary(name);
                    Reply<Lookup> reply = entries.ask(key, new Command.Get(key), calls.budget("get"));
                    if (!(reply instanceof Reply.Done<Lookup> done)) {
                        throw calls.failures().ofRead("get", reply);
                    }
                    Envelope found = done.value().envelope();
                    return found == null ? null : plain.decode(key, found).orElse(null);
                },
                (name, bytes) -> {
                    EncodedKey key = home.dictionary(name);
                    Command.CompareAndSet set =
                            new Command.CompareAndSet(key, Command.ABSENT, plain.encode(key, bytes, 0), Expiry.NEVER);
                    Reply<Boolean> reply = entries.ask(key, set, calls.budget("put"));
                    if (!(reply instanceof Reply.Done)) {
                        throw calls.failures().ofChange("put", reply);
                    }
                },
                client.refreshes(),
                client.timing().ticker());
    }

    @SuppressWarnings("unchecked") // a named codec handles the cache's value type
    private Codec<V> codecOf(String codec, AllowedClasses allowed) {
        Factory<? extends Codec<V>> factory = configuration.getCodecFactory();
        return factory != null
                ? factory.create()
                : (Codec<V>) Codecs.create(codec, configuration.getValueType(), allowed, manager.getClassLoader());
    }

    private @Nullable CacheLoader<K, V> loaderOf() {
        Factory<CacheLoader<K, V>> factory = configuration.getCacheLoaderFactory();
        CacheLoader<K, V> loader = factory == null ? null : factory.create();
        if (loader != null) {
            return lifecycle.create(() -> new ClosingLoader<>(
                    calls.name(), loader, client.waiter(), client.timing().ticker()));
        }
        if (configuration.isReadThrough()) {
            LOG.warn("Cache {}: readThrough is on, but there is no loader: a miss stays one", calls.name());
        }
        return null;
    }

    private <T> @Nullable T create(@Nullable Factory<? extends T> factory) {
        return factory == null ? null : lifecycle.create(factory);
    }

    private ExpiryRules rulesOf() {
        ExpiryPolicy expiry =
                Objects.requireNonNull(lifecycle.create(configuration.getExpiryPolicyFactory()), "expiry policy");
        ConfigurationMerge.checkExpiry(calls.name(), configuration, expiry);
        return ExpiryRules.of(expiry);
    }

    private @Nullable NearCache<K, V> nearOf() {
        NearOptions options = configuration.getNear();
        if (options == null) {
            return null;
        }
        if (rules.mayTouch()) {
            LOG.warn(
                    "Cache {}: its expiry policy depends on accesses, and partitions do not see reads of copies in this process, so it bypasses its near cache",
                    calls.name());
            return null;
        }
        LocalKeys<K> keys =
                new LocalKeys<>(calls.keys(), calls::encode, calls::decodeOrNull, configuration.getKeyType());
        NearCache<K, V> opened = client.near().open(options, keys, coder, client.router(), telemetry);
        LOG.debug("Cache {}: near cache of {}", calls.name(), options);
        return opened;
    }

    /** Puts the channels of a cache together, from the router outwards: only those that its options need. */
    private Channel channelOf(@Nullable LocalLeases leases) {
        Channel channel = client.router();
        if (leases != null) {
            channel = leases.around(channel);
        } else if (isIndexed()) {
            channel = client.groupWatch().around(channel);
        }
        ReplicaReads replicas = configuration.getReads();
        if (replicas != null) {
            return client.replicas().around(channel, client.router(), replicas, telemetry);
        }
        return near == null ? channel : near.around(channel);
    }

    private ChangeWriter<K, V> writerOf(@Nullable CacheWriter<? super K, ? super V> given) {
        WriteThrough<K, V> direct = new WriteThrough<>(configuration.isWriteThrough() ? given : null);
        if (configuration.isWriteThrough() && given == null) {
            LOG.warn(
                    "Cache {}: writeThrough is on, but there is no writer: changes are made in the cache only",
                    calls.name());
        }
        WriteBehindOptions behind = configuration.getWriteBehind();
        if (behind == null) {
            return direct;
        }
        return new WriteBehind<>(
                calls.name(),
                behind,
                direct,
                calls.keys(),
                coder,
                written -> store.keepOnly(written, calls.budget("writeBehind")),
                store::forget,
                client.writers(),
                client.waiter(),
                client.timing());
    }

    private MissingPartitionPolicy missingPartition() {
        MissingPartitionPolicy policy = configuration.getMissingPartition();
        if (policy != null) {
            return policy;
        }
        return configuration.isReadThrough() && configuration.getCacheLoaderFactory() != null
                ? MissingPartitionPolicy.LOADER
                : MissingPartitionPolicy.MISS;
    }

    private MissingPartitionWritePolicy writePolicy(MissingPartitionWritePolicy otherwise) {
        return Objects.requireNonNullElse(configuration.getMissingPartitionWrites(), otherwise);
    }
}
