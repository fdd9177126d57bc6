// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.Client;
import io.keyslot.client.cache.CacheReads;
import io.keyslot.client.cache.CacheScans;
import io.keyslot.client.cache.CacheWrites;
import io.keyslot.client.cache.DirectUpdate;
import io.keyslot.client.cache.EntryProcessors;
import io.keyslot.client.cache.EntryUpdates;
import io.keyslot.client.cache.FailSafeCache;
import io.keyslot.client.cache.FailedWrites;
import io.keyslot.client.concurrent.Parallel;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.Contention;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.entry.FailSafeObserver;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.entry.Lifetimes;
import io.keyslot.client.entry.LoadObserver;
import io.keyslot.client.loading.AsyncLoads;
import io.keyslot.client.loading.BoundedLoader;
import io.keyslot.client.loading.LeasedLoads;
import io.keyslot.client.loading.LoadedEntries;
import io.keyslot.client.loading.LoaderCalls;
import io.keyslot.client.loading.Loads;
import io.keyslot.client.loading.ReadPolicy;
import io.keyslot.client.loading.SingleFlights;
import io.keyslot.client.near.NearCache;
import io.keyslot.client.replica.ReplicaChannel;
import io.keyslot.client.writing.ChangeWriter;
import io.keyslot.client.writing.WriteThrough;
import io.keyslot.client.writing.WriteThroughUpdate;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/** Assembles the operations of one cache, from loads and reads to scans. For one use. */
final class OperationsAssembly<K, V> {
    /** How long a caller with its own method waits for another process that calls one for the same entry. */
    private static final Duration METHOD_PATIENCE = Duration.ofSeconds(30);

    /** High, as each such method has a thread of the application already, with or without the cache. */
    private static final int METHODS_AT_ONCE = 10_000;

    private final Client client;
    private final CacheCalls<K> calls;
    private final EntryStore<V> store;
    private final EntryForms<V> forms;
    private final EventPublisher<K, V> publisher;
    private final ChangeWriter<K, V> writer;

    OperationsAssembly(
            Client client,
            CacheCalls<K> calls,
            EntryStore<V> store,
            EntryForms<V> forms,
            EventPublisher<K, V> publisher,
            ChangeWriter<K, V> writer) {
        this.client = client;
        this.calls = calls;
        this.store = store;
        this.forms = forms;
        this.publisher = publisher;
        this.writer = writer;
    }

    CacheOperations<K, V> assemble(
            PartitionedConfiguration<K, V> configuration,
            @Nullable CacheLoader<K, V> loader,
            ReadPolicy policy,
            KeyScan scan,
            @Nullable NearCache<K, V> near,
            @Nullable ReplicaChannel replicas) {
        LoadingOptions options = Objects.requireNonNullElse(configuration.getLoading(), LoadingOptions.defaults());
        ExpiryRules rules = forms.rules();
        Lifetimes lifetimes = forms.lifetimes();
        LeaseRenewals renewals = new LeaseRenewals(
                client.router(), client.timing(), client.options().deadlines().command());

        BoundedLoader<K, V> bounded =
                new BoundedLoader<>(loader, writer, loaderCalls(options), loadsSeen(), policy, client.ticker());
        LoadedEntries<K, V> loaded =
                new LoadedEntries<>(store, publisher, rules, lifetimes, options.negativeTimeToLive());
        SingleFlights<V> flights = new SingleFlights<>(store::copy);
        LeasedLoads<K, V> leased = new LeasedLoads<>(store, flights, renewals, bounded, loaded, policy);

        Loads<K, V> loads = new Loads<>(calls, flights, client.waiter(), client.timing(), leased, bounded, policy);
        CacheReads<K, V> reads = new CacheReads<>(calls, store, publisher.counters(), rules, loads, near);
        Supplier<Contention> contentions =
                () -> new Contention(client.ticker(), client.timing().random(), client.waiter(), calls.failures());
        DirectUpdate<K, V> direct = new DirectUpdate<>(calls, store, publisher, writer, lifetimes);
        EntryUpdates<K, V> updates = new EntryUpdates<>(
                calls, store, publisher, contentions, direct, writerFirst(lifetimes, renewals, contentions));
        MissingPartitionWritePolicy writePolicy = Objects.requireNonNullElse(
                configuration.getMissingPartitionWritePolicy(), MissingPartitionWritePolicy.FAIL);
        FailSafeObserver forgiven =
                client.entries().observations().failSafe(client.meters().failSafe(calls.name()));
        Parallel parallel = parallel();
        FailedWrites<K, V> failed = new FailedWrites<>(calls, store, writer, writePolicy, policy, forgiven);

        MissingPartitionWritePolicy failSafePolicy = Objects.requireNonNullElse(
                configuration.getMissingPartitionWritePolicy(), MissingPartitionWritePolicy.JOURNAL);
        FailedWrites<K, V> journaled = new FailedWrites<>(calls, store, writer, failSafePolicy, policy, forgiven);
        ReadPolicy byMethods = new ReadPolicy(
                configuration.getLoading() == null ? options.withPatience(METHOD_PATIENCE) : options,
                true,
                MissingPartitionPolicy.LOADER,
                client.ticker(),
                client.timing().random());
        LoaderCalls methods = loaderCalls(options.withBulkhead(METHODS_AT_ONCE));
        FailSafeCalls<K, V> failSafe = new FailSafeCache<>(
                reads,
                new CacheWrites<>(calls, store, publisher, updates, journaled, rules, scan, near),
                new EntryProcessors<>(calls, store, updates, leased, journaled, publisher, rules, parallel),
                method -> {
                    BoundedLoader<K, V> called =
                            new BoundedLoader<>(method, writer, methods, loadsSeen(), byMethods, client.ticker());
                    return new Loads<>(
                            calls,
                            flights,
                            client.waiter(),
                            client.timing(),
                            new LeasedLoads<>(store, flights, renewals, called, loaded, byMethods),
                            called,
                            byMethods);
                },
                calls,
                forgiven);

        return new CacheOperations<>(
                reads,
                new AsyncLoads<>(
                        calls,
                        store,
                        loads,
                        bounded,
                        client.pools().async(),
                        client.entries().observations()),
                new CacheWrites<>(calls, store, publisher, updates, failed, rules, scan, near),
                new EntryProcessors<>(calls, store, updates, leased, failed, publisher, rules, parallel),
                new CacheScans<>(calls, scan, store, publisher.counters(), reads, parallel),
                new Explaining<>(client, calls, store, near, replicas),
                failSafe);
    }

    private LoadObserver loadsSeen() {
        return client.meters().loads(calls.name());
    }

    private Parallel parallel() {
        return new Parallel(
                client.entries().observations().carrying(client.pools().async()), client.waiter());
    }

    private LoaderCalls loaderCalls(LoadingOptions options) {
        return new LoaderCalls(
                calls.name(),
                options.timeout(),
                client.entries().observations().carrying(client.pools().loaders()),
                client.pools().refreshes(),
                options.bulkhead(),
                client.waiter());
    }

    private @Nullable WriteThroughUpdate<K, V> writerFirst(
            Lifetimes lifetimes, LeaseRenewals renewals, Supplier<Contention> contentions) {
        WriteThrough<K, V> first = writer.first();
        return first == null
                ? null
                : new WriteThroughUpdate<>(calls, store, renewals, contentions, first, publisher, lifetimes);
    }
}
