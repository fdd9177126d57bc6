// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.PartitionedCache;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.event.EventScope;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.replica.ReplicaReads;
import io.keyslot.client.Client;
import io.keyslot.client.cluster.ClusterCaches;
import io.keyslot.client.codec.Codecs;
import io.keyslot.client.codec.TypedCodec;
import io.keyslot.client.codec.VerifiedCodec;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.concurrent.Closing;
import io.keyslot.client.concurrent.SerialExecutor;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.CacheCounters;
import io.keyslot.client.entry.EntryCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventDispatcher;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.GroupSizeChannel;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.entry.Lifetimes;
import io.keyslot.client.entry.LocalKeys;
import io.keyslot.client.entry.LocalLeases;
import io.keyslot.client.entry.NearObserver;
import io.keyslot.client.entry.RawChannel;
import io.keyslot.client.entry.RawOptions;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.invalidation.ChangedEntries;
import io.keyslot.client.invalidation.RemoteChanges;
import io.keyslot.client.key.KeyCodec;
import io.keyslot.client.key.KeyCodecs;
import io.keyslot.client.key.KeySpace;
import io.keyslot.client.loading.ClosingLoader;
import io.keyslot.client.loading.ReadPolicy;
import io.keyslot.client.near.NearCache;
import io.keyslot.client.replica.ReplicaChannel;
import io.keyslot.client.routing.Channel;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.writing.ChangeWriter;
import io.keyslot.client.writing.QueuedWriter;
import io.keyslot.client.writing.WriteThrough;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles the parts of one cache, and so shows the path of a get and a put. */
final class CacheAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(CacheAssembly.class);

    /** Instances store the record of their user under this type. */
    private static final String RESERVED_TYPE = "keyslot";

    private final KeyslotCacheManager manager;
    private final Client client;
    private final ConfigurationMerge merge;

    CacheAssembly(KeyslotCacheManager manager, Client client) {
        this.manager = manager;
        this.client = client;
        this.merge = new ConfigurationMerge(client.options(), manager.getClassLoader());
    }

    /** Creates a cache, whose entity type must differ from those of {@code others}; closes its parts if that fails. */
    <K, V> OpenCache<K, V> assemble(String name, Configuration<K, V> given, List<KeyslotCache<?, ?>> others) {
        CacheLifecycle lifecycle = new CacheLifecycle(name, new CacheBeans(manager.getURI(), name));
        EventDispatcher<K, V> events = new EventDispatcher<>(
                new SerialExecutor("Cache " + name, client.pools().async()));
        try {
            return assemble(name, merge.merged(name, given), others, lifecycle, events);
        } catch (RuntimeException | Error e) {
            Closing.after(e, List.of(() -> client.meters().close(name), () -> lifecycle.release(events)));
            throw e;
        }
    }

    private static boolean isIndexed(PartitionedConfiguration<?, ?> configuration) {
        Boolean indexed = configuration.getIndexed();
        return indexed == null ? configuration.getGroupedBy() != null : indexed;
    }

    private <K, V> OpenCache<K, V> assemble(
            String name,
            PartitionedConfiguration<K, V> configuration,
            List<KeyslotCache<?, ?>> others,
            CacheLifecycle lifecycle,
            EventDispatcher<K, V> events) {
        ClusterCaches.check(client.options().engine(), name, configuration);
        String entityType = entityTypeOf(name, configuration);
        checkEntityType(name, entityType, others);
        EntryLimits limits = configuration.getLimits(merge.limitsOf(name));

        AllowedClasses allowed =
                client.entries().allowed().with(configuration.getKeyType(), configuration.getValueType());
        KeyCodec<K> keys = keysOf(name, entityType, configuration, allowed);
        CacheCalls<K> calls = new CacheCalls<>(
                name, keys, limits, client.options().deadlines().call(), client.ticker());
        ValueCoder<V> coder = coderOf(name, configuration, limits, allowed);
        CacheLoader<K, V> loader = loaderOf(name, configuration, lifecycle);
        CacheWriter<? super K, ? super V> given = create(lifecycle, configuration.getCacheWriterFactory());
        EntryForms<V> forms =
                new EntryForms<>(coder, rulesOf(name, configuration, lifecycle), lifetimesOf(configuration));
        NearCache<K, V> near =
                nearOf(configuration, calls, new LocalKeys<>(calls, keys.prefix(), configuration.getKeyType()), forms);
        LocalLeases leases = RawOptions.areIn(configuration) ? new LocalLeases() : null;
        Channel channel = channelOf(name, configuration, near, leases);
        EntryCalls entries = new EntryCalls(
                client.router(),
                channel,
                client.waiter(),
                coder.stampMeaning(),
                client.entries().changes(),
                leases);
        EntryStore<V> store = new EntryStore<>(
                entries,
                coder,
                calls.failures(),
                client.meters().entries(name),
                client.entries().writes(),
                client.entries().history(),
                client.ticker());
        CacheCounters counters = client.entries().observations().counters(configuration.isStatisticsEnabled());
        AtomicReference<@Nullable PartitionedCache<K, V>> face = new AtomicReference<>();
        EventPublisher<K, V> publisher = publisherOf(events, face, coder, counters);
        if (configuration.getEvents() == EventScope.KEYS) {
            events.hear(elsewhereOf(calls, keys, store, publisher));
        }
        ChangeWriter<K, V> writer = writerOf(calls, configuration, given, keys, coder, store);

        CacheOperations<K, V> operations = new OperationsAssembly<>(client, calls, store, forms, publisher, writer)
                .assemble(
                        configuration,
                        writer.aware(loader),
                        policyOf(configuration, loader != null),
                        scanOf(configuration, keys, calls, entries),
                        near,
                        channel instanceof ReplicaChannel replicas ? replicas : null);
        KeyslotCache<K, V> cache = new KeyslotCache<>(
                manager, configuration, lifecycle, calls, forms, publisher, writer, near, operations);
        OpenCache<K, V> made =
                new OpenCache<>(cache, client.entries().observations().around(cache));
        face.set(made.face());
        configuration.getCacheEntryListenerConfigurations().forEach(events::register);
        events.settle();
        show(cache, configuration, lifecycle, counters, writer);
        return made;
    }

    private void show(
            KeyslotCache<?, ?> cache,
            PartitionedConfiguration<?, ?> configuration,
            CacheLifecycle lifecycle,
            CacheCounters counters,
            ChangeWriter<?, ?> writer) {
        lifecycle.showBeans(configuration, counters);
        client.meters().open(cache, counters.meters());
        writer.counts().ifPresent(counts -> client.meters().open(cache.getName(), counts));
    }

    private <K, V> EventPublisher<K, V> publisherOf(
            EventDispatcher<K, V> events,
            AtomicReference<@Nullable PartitionedCache<K, V>> face,
            ValueCoder<V> coder,
            CacheCounters counters) {
        return new EventPublisher<>(
                events,
                () -> Objects.requireNonNull(face.get()),
                coder::copy,
                counters,
                client.entries().queues());
    }

    private <K, V> RemoteChanges<K, V> elsewhereOf(
            CacheCalls<K> calls, KeyCodec<K> keys, EntryStore<V> store, EventPublisher<K, V> publisher) {
        return new RemoteChanges<>(
                keys.prefix(),
                new ChangedEntries<>(
                        calls,
                        store,
                        client.entries().queues(),
                        client.entries().stamps()),
                publisher,
                new RemoteChanges.Surroundings(
                        client.entries().subscriptions(),
                        client.timing(),
                        client.waiter(),
                        client.pools().async()),
                client.meters().events(calls.name()));
    }

    private <K> KeyCodec<K> keysOf(
            String name, String entityType, PartitionedConfiguration<K, ?> configuration, AllowedClasses allowed) {
        KeyCodec<K> keys = KeyCodecs.create(
                new KeySpace(client.options().namespace(), entityType, configuration.getGroupedBy()),
                configuration.getKeyType(),
                manager.getClassLoader(),
                allowed,
                Codecs.ofKeys(merge.codecOf(name), allowed, manager.getClassLoader()));
        if (RawOptions.areIn(configuration)) {
            return KeyCodecs.raw(keys);
        }
        return isIndexed(configuration) ? KeyCodecs.indexed(keys) : keys;
    }

    private KeyScan scanOf(
            PartitionedConfiguration<?, ?> configuration, KeyCodec<?> keys, CacheCalls<?> calls, EntryCalls entries) {
        return new KeyScan(
                client.router(), entries, keys.prefix(), keysOf(configuration), calls.failures(), calls::budget);
    }

    /** Returns the conversion of listed keys to keys of the cache. */
    private static UnaryOperator<EncodedKey> keysOf(PartitionedConfiguration<?, ?> configuration) {
        if (RawOptions.areIn(configuration)) {
            return EncodedKey::raw;
        }
        return isIndexed(configuration) ? EncodedKey::indexed : UnaryOperator.identity();
    }

    private <K, V> @Nullable NearCache<K, V> nearOf(
            PartitionedConfiguration<K, V> configuration, CacheCalls<K> calls, LocalKeys<K> keys, EntryForms<V> forms) {
        NearOptions options = configuration.getNear();
        if (options == null) {
            return null;
        }
        if (forms.rules().mayTouch()) {
            LOG.warn(
                    "Cache {}: its expiry policy depends on accesses, which copies in this process would hide: it reads past its near cache",
                    calls.name());
            return null;
        }
        NearObserver observer = client.meters().near(calls.name());
        NearCache<K, V> near = client.entries().reads().near().open(options, keys, forms.coder(), observer);
        client.meters().open(calls.name(), near.counts());
        LOG.debug("Cache {}: near cache of {}", calls.name(), options);
        return near;
    }

    /** Puts the channels of a cache together, from the router outwards: only those that its options need. */
    private Channel channelOf(
            String name,
            PartitionedConfiguration<?, ?> configuration,
            @Nullable NearCache<?, ?> near,
            @Nullable LocalLeases leases) {
        Channel channel = client.router();
        if (leases != null) {
            channel = new RawChannel(channel, leases);
        } else if (isIndexed(configuration)) {
            channel = new GroupSizeChannel(channel, client.entries().watch());
        }
        ReplicaReads replicas = configuration.getReplicaReads();
        if (replicas != null) {
            return client.entries()
                    .reads()
                    .replicas()
                    .around(channel, client.router(), replicas, client.meters().replicas(name));
        }
        return near == null ? channel : near.around(channel);
    }

    private ExpiryRules rulesOf(String name, PartitionedConfiguration<?, ?> configuration, CacheLifecycle lifecycle) {
        ExpiryPolicy expiry =
                Objects.requireNonNull(lifecycle.create(configuration.getExpiryPolicyFactory()), "expiry policy");
        ConfigurationCheck.checkExpiry(name, configuration, expiry);
        return ExpiryRules.of(expiry);
    }

    private Lifetimes lifetimesOf(PartitionedConfiguration<?, ?> configuration) {
        return new Lifetimes(
                loadingOf(configuration), client.ticker(), client.timing().random());
    }

    private static LoadingOptions loadingOf(PartitionedConfiguration<?, ?> configuration) {
        return Objects.requireNonNullElse(configuration.getLoading(), LoadingOptions.defaults());
    }

    private <K, V> @Nullable CacheLoader<K, V> loaderOf(
            String name, PartitionedConfiguration<K, V> configuration, CacheLifecycle lifecycle) {
        Factory<CacheLoader<K, V>> factory = configuration.getCacheLoaderFactory();
        CacheLoader<K, V> loader = factory == null ? null : factory.create();
        if (loader != null) {
            return lifecycle.create(() -> new ClosingLoader<>(name, loader, client.waiter()));
        }
        if (configuration.isReadThrough()) {
            LOG.warn("Cache {}: readThrough is on, but there is no loader: a miss stays one", name);
        }
        return null;
    }

    private ReadPolicy policyOf(PartitionedConfiguration<?, ?> configuration, boolean hasLoader) {
        return new ReadPolicy(
                loadingOf(configuration),
                configuration.isReadThrough() && hasLoader,
                missingPartition(configuration),
                client.ticker(),
                client.timing().random());
    }

    /** Returns the writer, or the queue in front of it. */
    private <K, V> ChangeWriter<K, V> writerOf(
            CacheCalls<K> calls,
            PartitionedConfiguration<K, V> configuration,
            @Nullable CacheWriter<? super K, ? super V> given,
            KeyCodec<K> keys,
            ValueCoder<V> coder,
            EntryStore<V> store) {
        WriteThrough<K, V> writer = new WriteThrough<>(configuration.isWriteThrough() ? given : null);
        if (configuration.isWriteThrough() && given == null) {
            LOG.warn(
                    "Cache {}: writeThrough is on, but there is no writer: changes are made in the cache only",
                    calls.name());
        }
        WriteBehindOptions behind = configuration.getWriteBehind();
        if (behind == null) {
            return writer;
        }
        return new QueuedWriter<>(
                calls.name(),
                behind,
                writer,
                keys,
                coder,
                written -> store.keepOnly(written, calls.budget("writeBehind")),
                store::forget,
                client.pools().writers(),
                client.waiter(),
                client.timing());
    }

    private static <T> @Nullable T create(CacheLifecycle lifecycle, @Nullable Factory<? extends T> factory) {
        return factory == null ? null : lifecycle.create(factory);
    }

    private <V> ValueCoder<V> coderOf(
            String name, PartitionedConfiguration<?, V> configuration, EntryLimits limits, AllowedClasses allowed) {
        Codec<V> codec = codecOf(name, configuration, allowed);
        Class<V> type = configuration.getValueType();
        return RawOptions.areIn(configuration)
                ? ValueCoder.raw(
                        name,
                        new TypedCodec<>(codec, type),
                        limits,
                        client.entries().stamps())
                : new ValueCoder<>(
                        name,
                        new VerifiedCodec<>(codec, type),
                        limits,
                        client.entries().stamps());
    }

    @SuppressWarnings("unchecked") // a named codec handles the cache's value type
    private <V> Codec<V> codecOf(String name, PartitionedConfiguration<?, V> configuration, AllowedClasses allowed) {
        Factory<? extends Codec<V>> factory = configuration.getCodecFactory();
        return factory != null
                ? factory.create()
                : (Codec<V>) Codecs.create(
                        merge.codecOf(name), configuration.getValueType(), allowed, manager.getClassLoader());
    }

    private static MissingPartitionPolicy missingPartition(PartitionedConfiguration<?, ?> configuration) {
        MissingPartitionPolicy policy = configuration.getMissingPartitionPolicy();
        if (policy != null) {
            return policy;
        }
        return configuration.isReadThrough() && configuration.getCacheLoaderFactory() != null
                ? MissingPartitionPolicy.LOADER
                : MissingPartitionPolicy.MISS;
    }

    private static String entityTypeOf(String name, PartitionedConfiguration<?, ?> configuration) {
        String entityType = configuration.getEntityType();
        return entityType == null ? name : entityType;
    }

    private void checkEntityType(String name, String entityType, List<KeyslotCache<?, ?>> others) {
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
}
