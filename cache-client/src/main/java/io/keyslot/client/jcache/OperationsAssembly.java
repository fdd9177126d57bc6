// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionPolicy;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.client.Client;
import io.keyslot.client.cache.BulkChanges;
import io.keyslot.client.cache.BulkProcessing;
import io.keyslot.client.cache.Changes;
import io.keyslot.client.cache.Clearing;
import io.keyslot.client.cache.DirectUpdate;
import io.keyslot.client.cache.FailSafeOperations;
import io.keyslot.client.cache.FailedWrites;
import io.keyslot.client.cache.LocalEntries;
import io.keyslot.client.cache.Processing;
import io.keyslot.client.cache.Reads;
import io.keyslot.client.cache.Scanning;
import io.keyslot.client.cache.Writes;
import io.keyslot.client.concurrent.Parallel;
import io.keyslot.client.entry.CacheCalls;
import io.keyslot.client.entry.EntryStore;
import io.keyslot.client.entry.EventPublisher;
import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.FailSafeCalls;
import io.keyslot.client.entry.KeyScan;
import io.keyslot.client.entry.LeaseRenewals;
import io.keyslot.client.entry.Lifetimes;
import io.keyslot.client.loading.AsyncLoads;
import io.keyslot.client.loading.BoundedLoader;
import io.keyslot.client.loading.Bulkhead;
import io.keyslot.client.loading.LeasedLoads;
import io.keyslot.client.loading.LoadWaits;
import io.keyslot.client.loading.LoadedEntries;
import io.keyslot.client.loading.LoaderCalls;
import io.keyslot.client.loading.Loads;
import io.keyslot.client.loading.ReadPolicy;
import io.keyslot.client.loading.ReadThrough;
import io.keyslot.client.loading.SingleFlights;
import io.keyslot.client.replica.ReplicaChannel;
import io.keyslot.client.telemetry.CacheTelemetry;
import io.keyslot.client.writing.ChangeWriter;
import io.keyslot.client.writing.Contentions;
import io.keyslot.client.writing.PlaceReservations;
import io.keyslot.client.writing.WriteThrough;
import io.keyslot.client.writing.WriteThroughUpdate;
import java.time.Duration;
import java.util.Objects;
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
    private final CacheTelemetry telemetry;

    OperationsAssembly(
            Client client,
            CacheCalls<K> calls,
            EntryStore<V> store,
            EntryForms<V> forms,
            EventPublisher<K, V> publisher,
            ChangeWriter<K, V> writer,
            CacheTelemetry telemetry) {
        this.client = client;
        this.calls = calls;
        this.store = store;
        this.forms = forms;
        this.publisher = publisher;
        this.writer = writer;
        this.telemetry = telemetry;
    }

    CacheOperations<K, V> assemble(
            PartitionedConfiguration<K, V> configuration,
            ReadThrough<K, V> loader,
            ReadPolicy policy,
            KeyScan scan,
            LocalEntries<K, V> kept,
            @Nullable ReplicaChannel replicas) {
        LoadingOptions options = Objects.requireNonNullElse(configuration.getLoading(), LoadingOptions.defaults());
        ExpiryRules rules = forms.rules();
        Lifetimes lifetimes = forms.lifetimes();
        LeaseRenewals renewals = new LeaseRenewals(
                client.router(), client.timing(), client.options().deadlines().command());

        BoundedLoader<K, V> bounded =
                new BoundedLoader<>(loader, writer, loaderCalls(options), telemetry, policy, client.ticker());
        LoadedEntries<K, V> loaded =
                new LoadedEntries<>(store, publisher, rules, lifetimes, options.negativeTimeToLive());
        SingleFlights<V> flights = new SingleFlights<>(store::copy);
        LeasedLoads<K, V> leased = new LeasedLoads<>(store, flights, renewals, bounded, loaded, policy);
        LoadWaits waits = new LoadWaits(client.waiter(), client.timing());
        Loads<K, V> loads = new Loads<>(calls, flights, waits, leased, bounded, policy);
        Reads<K, V> reads = new Reads<>(calls, store, publisher.counters(), rules, loads, kept);

        Contentions contentions = new Contentions(calls.failures(), client.waiter(), client.timing());
        DirectUpdate<K, V> cacheFirst = new DirectUpdate<>(calls, store, publisher, writer, lifetimes);
        Changes<K, V> changes = new Changes<>(
                calls, store, publisher, contentions, cacheFirst, writerFirst(lifetimes, renewals, contentions));
        MissingPartitionWritePolicy writePolicy = Objects.requireNonNullElse(
                configuration.getMissingPartitionWritePolicy(), MissingPartitionWritePolicy.FAIL);
        FailedWrites<K, V> failed = new FailedWrites<>(calls, store, writer, writePolicy, policy, telemetry);
        BulkChanges<K, V> bulk = new BulkChanges<>(calls, store, publisher, changes, failed, rules);

        Clearing<K, V> clearing = new Clearing<>(calls, scan, bulk, store, kept);
        MissingPartitionWritePolicy failSafePolicy = Objects.requireNonNullElse(
                configuration.getMissingPartitionWritePolicy(), MissingPartitionWritePolicy.JOURNAL);
        FailedWrites<K, V> journaled = new FailedWrites<>(calls, store, writer, failSafePolicy, policy, telemetry);
        ReadPolicy byMethods = new ReadPolicy(
                configuration.getLoading() == null ? options.withPatience(METHOD_PATIENCE) : options,
                true,
                MissingPartitionPolicy.LOADER,
                client.ticker(),
                client.timing().random());
        LoaderCalls methods = loaderCalls(options.withBulkhead(METHODS_AT_ONCE));
        FailSafeCalls<K, V> failSafe = new FailSafeOperations<>(
                reads,
                new Writes<>(calls, publisher, changes, journaled, rules),
                new Processing<>(calls, changes, leased, journaled, publisher, rules),
                clearing,
                method -> {
                    BoundedLoader<K, V> called = new BoundedLoader<>(
                            new ReadThrough<>(method), writer, methods, telemetry, byMethods, client.ticker());
                    return new Loads<>(
                            calls,
                            flights,
                            waits,
                            new LeasedLoads<>(store, flights, renewals, called, loaded, byMethods),
                            called,
                            byMethods);
                },
                telemetry,
                calls.name(),
                client.ticker());

        Processing<K, V> processing = new Processing<>(calls, changes, leased, failed, publisher, rules);
        Parallel parallel = parallel();
        return new CacheOperations<>(
                reads,
                new AsyncLoads<>(calls, store, loads, bounded, client.async(), client.telemetry()),
                new Writes<>(calls, publisher, changes, failed, rules),
                bulk,
                clearing,
                processing,
                new BulkProcessing<>(calls, store, processing, parallel),
                new Scanning<>(calls, scan, store, publisher.counters(), parallel),
                new Explaining<>(client, calls, store, kept, replicas),
                failSafe);
    }

    private Parallel parallel() {
        return new Parallel(client.telemetry().carrying(client.async()), client.waiter());
    }

    private LoaderCalls loaderCalls(LoadingOptions options) {
        return new LoaderCalls(
                calls.name(),
                options.timeout(),
                client.telemetry().carrying(client.loaders()),
                client.refreshes(),
                new Bulkhead(options.bulkhead()),
                client.waiter());
    }

    private @Nullable WriteThroughUpdate<K, V> writerFirst(
            Lifetimes lifetimes, LeaseRenewals renewals, Contentions contentions) {
        WriteThrough<K, V> first = writer.first();
        return first == null
                ? null
                : new WriteThroughUpdate<>(
                        calls,
                        store,
                        new PlaceReservations<>(calls, store, renewals, contentions),
                        first,
                        publisher,
                        lifetimes);
    }
}
