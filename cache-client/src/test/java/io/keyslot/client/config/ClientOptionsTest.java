// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.EntryLimits;
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
import io.keyslot.client.config.Access.Login;
import io.keyslot.client.config.CacheOptions.ExpiryKind;
import io.keyslot.client.config.CacheOptions.StoredOptions;
import io.keyslot.client.config.ClientOptions.CatalogueOptions;
import io.keyslot.client.config.ClientOptions.CodecOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.config.ClientOptions.GroupLimits;
import io.keyslot.client.config.ClientOptions.QueueOptions;
import io.keyslot.client.partition.Adoption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ClientOptionsTest {
    private static final ClientOptions DEFAULTS = Given.defaults();

    @Test
    void example_isRead() {
        ClientOptions options = Given.yaml(
                        "engine: instances            # embedded (default) | instances",
                        "partitions:",
                        "  p1: redis://127.0.0.1:7001",
                        "  p2: redis://127.0.0.1:7002",
                        "  p3: rediss://user:${P3_PASSWORD}@cache3.example:6380",
                        "caches:",
                        "  customer: { ttl: 10m }",
                        "  sale:     { ttl: 1h, groupedBy: customer }",
                        "codec:",
                        "  allow: [ \"com.acme.shop.**\" ]")
                .variable("P3_PASSWORD", "tiger")
                .options();

        assertThat(options.engine()).isEqualTo(Engine.INSTANCES);
        assertThat(options.partitions())
                .extracting(partition -> partition.name() + " " + partition.uri())
                .containsExactly(
                        "p1 redis://127.0.0.1:7001/0",
                        "p2 redis://127.0.0.1:7002/0",
                        "p3 rediss://user:***@cache3.example:6380/0");
        assertThat(options.caches()).containsOnlyKeys("customer", "sale");
        assertThat(options.cache("customer").ttl()).isEqualTo(Duration.ofMinutes(10));
        assertThat(options.cache("customer").expiry()).isEqualTo(ExpiryKind.MODIFIED);
        assertThat(options.cache("sale").groupedBy()).isEqualTo("customer");
        assertThat(options.codec()).isEqualTo(new CodecOptions("default", List.of("com.acme.shop.**")));
        assertThat(options.toString()).contains("cache3.example:6380").doesNotContain("tiger");
    }

    @Test
    void everySetting_isRead() {
        ClientOptions options = Given.yaml(
                        "engine: embedded",
                        "partitions: { red: , blue: }",
                        "namespace: shop",
                        "sharedInstances: true",
                        "adoptInstances: always",
                        "catalogue: instances",
                        "deadlines: { call: 3s, command: 2s, connect: 1s }",
                        "limits: { keyBytes: 2KiB, valueBytes: 1MiB, batchKeys: 500 }",
                        "groups: { entries: 7, bytes: 1MiB }",
                        "codec: { default: jdk, allow: [ com.acme.Sale, 'com.acme.*' ] }",
                        "embedded: { maximumSize: 64MiB }",
                        "async: { threads: 2 }",
                        "loading: { threads: 9 }",
                        "startup: { wait: 0s }",
                        "connection: { username: app, password: secret }",
                        "metrics: false",
                        "trafficReports: 30s",
                        "near: { maximumSize: 1MiB }",
                        "zone: eu-1a",
                        "queues: { mail: { lease: 1m, deliveries: 3, duplicateWindow: 1h, atMost: 7 }, other: {} }")
                .options();

        assertThat(options.queue("other")).isEqualTo(options.queue("one that is not named"));
        assertThat(options)
                .isEqualTo(new ClientOptions(
                        "test",
                        Engine.EMBEDDED,
                        List.of(PartitionOptions.embedded("red"), PartitionOptions.embedded("blue")),
                        "shop",
                        true,
                        Adoption.ALWAYS,
                        new CatalogueOptions(CatalogueOptions.Kind.INSTANCES, List.of(), ""),
                        List.of(),
                        new Deadlines(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofSeconds(1)),
                        new Access(new Login("app", "secret"), Login.NONE, TlsOptions.defaults()),
                        new EntryLimits(2048, 1 << 20, 500),
                        new GroupLimits(7, 1 << 20),
                        new CodecOptions("jdk", List.of("com.acme.Sale", "com.acme.*")),
                        64 << 20,
                        2,
                        9,
                        Duration.ZERO,
                        false,
                        Duration.ofSeconds(30),
                        Given.yaml("near: { maximumSize: 1MiB }").options().cache("unnamed"),
                        "eu-1a",
                        Map.of(),
                        Map.of(
                                "mail",
                                new QueueOptions(Duration.ofMinutes(1), 3, Duration.ofHours(1), 7),
                                "other",
                                QueueOptions.DEFAULTS)));
    }

    @Test
    void everySettingOfACache_isRead() {
        ClientOptions options = Given.yaml(
                        "caches:",
                        "  sale:",
                        "    ttl: 1h",
                        "    expiry: created",
                        "    entityType: s",
                        "    groupedBy: customer",
                        "    indexed: true",
                        "    keyType: java.lang.Long",
                        "    valueType: java.util.Map$Entry",
                        "    codec: io.keyslot.client.config.NamedClassesTest$TextCodec",
                        "    layout: keyslot",
                        "    missingPartition: loader",
                        "    missingPartitionWrites: journal",
                        "    gutter: { for: 10s }",
                        "    readThrough: true",
                        "    writeThrough: true",
                        "    loader: io.keyslot.client.config.NamedClassesTest$Loader",
                        "    writer: io.keyslot.client.config.NamedClassesTest$Writer",
                        "    loading:",
                        "      timeout: 1s",
                        "      patience: 0s",
                        "      staleWhileRevalidate: 1m",
                        "      staleIfError: 1h",
                        "      negativeTtl: 30s",
                        "      bulkhead: 5",
                        "    writeBehind: { delay: 0ms, queue: 1, batch: 2, attempts: 3 }",
                        "    near: { maximumSize: 1MiB, staleness: 500ms, values: shared, whenMissing: { serve: 30s } }",
                        "    statistics: true",
                        "    management: true",
                        "    events: feed",
                        "    feed: { keep: 5m }",
                        "    reads: replica",
                        "    maxStaleness: 250ms")
                .options();

        assertThat(options.cache("sale"))
                .isEqualTo(new CacheOptions(
                        Duration.ofHours(1),
                        ExpiryKind.CREATED,
                        "s",
                        "customer",
                        true,
                        "java.lang.Long",
                        "java.util.Map$Entry",
                        "io.keyslot.client.config.NamedClassesTest$TextCodec",
                        ValueLayout.KEYSLOT,
                        MissingPartitionPolicy.LOADER,
                        MissingPartitionWritePolicy.JOURNAL,
                        Duration.ofSeconds(10),
                        true,
                        "io.keyslot.client.config.NamedClassesTest$Loader",
                        new LoadingOptions(
                                Duration.ofSeconds(1),
                                Duration.ZERO,
                                0.1,
                                Duration.ofMinutes(1),
                                Duration.ofHours(1),
                                Duration.ofSeconds(30),
                                5),
                        ReplicaReads.upTo(Duration.ofMillis(250)),
                        true,
                        "io.keyslot.client.config.NamedClassesTest$Writer",
                        new WriteBehindOptions(Duration.ZERO, 1, 2, 3, Duration.ofSeconds(10)),
                        NearOptions.ofSize(1 << 20)
                                .withStaleness(Duration.ofMillis(500))
                                .withValues(NearValues.SHARED)
                                .withWhenMissing(Duration.ofSeconds(30)),
                        true,
                        true,
                        EventScope.FEED,
                        FeedOptions.defaults().withKeep(Duration.ofMinutes(5)),
                        StoredOptions.PLAIN));
    }

    @Test
    void ofAllCaches_isThatOfThoseThatSayNothing() {
        ClientOptions options = Given.yaml(
                        "near: { maximumEntries: 7, staleness: 1s }",
                        "caches:",
                        "  named: { ttl: 1h }",
                        "  other: { near: { maximumSize: 1MiB } }",
                        "  without: { near: false }")
                .options();
        NearOptions ofAll = NearOptions.ofEntries(7).withStaleness(Duration.ofSeconds(1));

        assertThat(options.cache("not named").near()).isEqualTo(ofAll);
        assertThat(options.cache("named").near()).isEqualTo(ofAll);
        assertThat(options.cache("other").near()).isEqualTo(NearOptions.ofSize(1 << 20));
        assertThat(options.cache("without").near()).isNull();
    }

    @Nested
    class SlotMap {
        @Test
        void defaults_shareTheSlotsEqually() {
            assertThat(DEFAULTS.slotMap()).hasToString("v1 p1=0-5461 p2=5462-10922 p3=10923-16383");
        }
    }
}
