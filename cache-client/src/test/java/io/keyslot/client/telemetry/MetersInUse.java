// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.cache.replica.ReplicaAnswer;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.client.jcache.RecordingWriter;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.telemetry.CacheTelemetry.LoadCause;
import io.keyslot.slot.PartitionId;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.util.Properties;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;

/** A manager that has all meters that there are. */
final class MetersInUse {
    private MetersInUse() {}

    /** Opens a cache, lets a read find what is no value, and returns what is seen in the registry meanwhile. */
    static <T> T in(MeterRegistry registry, Function<MeterRegistry, T> seen) {
        Properties properties = new Properties();
        properties.put(Telemetry.METER_REGISTRY, registry);
        try (CacheManager manager = Caching.getCachingProvider()
                .getCacheManager(URI.create("meters"), MetersInUse.class.getClassLoader(), properties)) {
            Cache<Long, Integer> cache = manager.createCache("customer", configuration());
            storeNonsense(manager.unwrap(EmbeddedPartitions.class), EncodedKey.of("customer:99"));
            assertThat(cache.get(99L)).isNull();
            Telemetry telemetry = Meters.of("meters", registry, null, new SystemTicker());
            report(telemetry.cache("customer"));
            telemetry.onGroupTooLarge("customer");
            telemetry.onMessages("mail", Telemetry.QueueEvent.SENT, 1);
            telemetry.showQueue("mail", () -> 1);
            telemetry.onReplicaOpened(
                    new Telemetry.Replica(new PartitionId("p1"), "10.0.1.1:6379", () -> 30_000_000, () -> 1_000_000));
            return seen.apply(registry);
        }
    }

    /** Reports what happens now and then only. */
    private static void report(CacheTelemetry cache) {
        for (LoadCause cause : LoadCause.values()) {
            cache.onLoad(cause, true, 1);
            cache.onLoadRejected(cause);
            cache.onStale(cause);
        }
        cache.onJournaled();
        cache.onCopies(true, 1);
        cache.onForgiven("put", new IllegalArgumentException());
        cache.showReplicaReads();
        cache.onFeedBatch("search", 1, true);
        cache.showFeed("search", new PartitionId("p1"), () -> 1);
        cache.onReplicaRead(ReplicaAnswer.REPLICA, 1);
    }

    private static PartitionedConfiguration<Long, Integer> configuration() {
        PartitionedConfiguration<Long, Integer> configuration = new PartitionedConfiguration<Long, Integer>()
                .setTypes(Long.class, Integer.class)
                .setNear(NearOptions.ofEntries(10))
                .setWriteBehind(WriteBehindOptions.defaults());
        configuration.setWriteThrough(true).setCacheWriterFactory(RecordingWriter::new);
        return configuration;
    }

    /** A replica of which everything is known. */
    private static void storeNonsense(EmbeddedPartitions partitions, EncodedKey key) {
        Command.Put put = new Command.Put(key, Envelope.of(1, new byte[] {-1}), Expiry.NEVER, Expiry.NEVER);
        for (EmbeddedPartition partition : partitions.byId().values()) {
            try (PartitionConnector connector = partition.connector()) {
                assertThat(connector
                                .connect()
                                .join()
                                .send(put, Route.plain(1), Patience.UNLIMITED)
                                .join())
                        .isInstanceOf(Reply.Done.class);
            }
        }
    }
}
