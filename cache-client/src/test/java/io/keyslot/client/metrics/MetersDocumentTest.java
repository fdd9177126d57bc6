// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.PartitionedConfiguration;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.event.EventGap;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.entry.ForgivingObserver;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.embedded.EmbeddedPartition;
import io.keyslot.client.partition.embedded.EmbeddedPartitions;
import io.keyslot.client.replica.CopyObserver;
import io.keyslot.client.statistics.LoadCause;
import io.keyslot.client.statistics.LoadObserver;
import io.keyslot.client.statistics.RemoteObserver;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.time.Patience;
import io.keyslot.slot.PartitionId;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.Test;

/** The document and the code name the same meters. */
class MetersDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "operations.md");
    private static final Pattern METER_ROW = Pattern.compile("^\\| `((?:cache|keyslot)\\.[a-z.]+)`", Pattern.MULTILINE);
    private static final Pattern REASON_ROW = Pattern.compile("^\\| `([a-z_]+)` \\|", Pattern.MULTILINE);

    @Test
    void everyMeter_hasARowAndEveryRowAMeter() throws IOException {
        List<Meter.Id> used = metersOfAManagerInUse();

        String meters = section("## Meters", "\n## ");
        assertThat(names(METER_ROW, meters))
                .containsExactlyInAnyOrderElementsOf(
                        used.stream().map(Meter.Id::getName).collect(Collectors.toSet()));
        assertThat(used.stream().flatMap(meter -> meter.getTags().stream()).map(Tag::getKey))
                .allMatch(key -> meters.contains('`' + key + '`'));
    }

    /** Opens a cache, and lets a read find what is no value. */
    private static List<Meter.Id> metersOfAManagerInUse() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Properties properties = new Properties();
        properties.put(MetersSelection.REGISTRY_PROPERTY, registry);
        try (CacheManager manager = Caching.getCachingProvider()
                .getCacheManager(URI.create("meters"), MetersDocumentTest.class.getClassLoader(), properties)) {
            Cache<Long, Integer> cache = manager.createCache("customer", configuration());
            storeNonsense(manager.unwrap(EmbeddedPartitions.class), EncodedKey.of("customer:99"));
            assertThat(cache.get(99L)).isNull();
            load(MicrometerMeters.create("meters", registry).loads("customer"));
            copy(MicrometerMeters.create("meters", registry).copies("customer"));
            hear(MicrometerMeters.create("meters", registry).events("customer"));
            forgive(MicrometerMeters.create("meters", registry).forgiving("customer"));
            MicrometerMeters.create("meters", registry).groups().onTooLarge("customer");
            return registry.getMeters().stream().map(Meter::getId).toList();
        }
    }

    /** Tells of what happens to loads now and then. */
    private static void load(LoadObserver observer) {
        for (LoadCause cause : LoadCause.values()) {
            observer.onLoad(cause, true, 1);
            observer.onRejected(cause);
            observer.onStale(cause);
        }
    }

    /** Tells of what happens to copies now and then. */
    private static void copy(CopyObserver observer) {
        observer.onJournaled(new PartitionId("p1"));
        observer.onRepaired();
        observer.onOverflow();
    }

    /** Tells of what callers are not told now and then. */
    private static void forgive(ForgivingObserver observer) {
        observer.onJournaled();
        observer.onForgiven("put", new IllegalArgumentException());
    }

    /** Tells of what listeners hear of others now and then. */
    private static void hear(RemoteObserver observer) {
        observer.onHeard();
        observer.onDropped();
        observer.onGap(EventGap.Reason.CONNECTION);
    }

    @Test
    void everyCauseOfALoad_isNamed() throws IOException {
        assertThat(names(REASON_ROW, section("Causes of `keyslot.loads`", "\nOutcomes")))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(LoadCause.values())
                        .map(cause -> cause.name().toLowerCase(Locale.ROOT))
                        .toList());
    }

    private static PartitionedConfiguration<Long, Integer> configuration() {
        PartitionedConfiguration<Long, Integer> configuration = new PartitionedConfiguration<Long, Integer>()
                .setTypes(Long.class, Integer.class)
                .setNear(NearOptions.ofEntries(10))
                .setWriteBehind(WriteBehindOptions.defaults());
        configuration.setWriteThrough(true).setCacheWriterFactory(DiscardingWriter::new);
        return configuration;
    }

    /** A writer without a database. */
    private static final class DiscardingWriter implements CacheWriter<Long, Integer> {
        @Override
        public void write(Cache.Entry<? extends Long, ? extends Integer> entry) {}

        @Override
        public void writeAll(Collection<Cache.Entry<? extends Long, ? extends Integer>> entries) {}

        @Override
        public void delete(Object key) {}

        @Override
        public void deleteAll(Collection<?> keys) {}
    }

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

    @Test
    void everyCommandAndReason_isNamed() throws IOException {
        String commands = section("Commands: ", "\n\n");
        List<String> reasons = Stream.concat(
                        Arrays.stream(Lookup.Outcome.values())
                                .filter(Lookup.Outcome::isUnreadable)
                                .map(outcome -> outcome.name().toLowerCase(Locale.ROOT)),
                        Stream.of("undecodable"))
                .toList();

        assertThat(commandNames()).allSatisfy(name -> assertThat(commands).contains('`' + name + '`'));
        assertThat(names(REASON_ROW, section("Reasons of `keyslot.entries.unreadable`", "\nThe JMX")))
                .containsExactlyInAnyOrderElementsOf(reasons);
    }

    /** Questions about the index of a group have names of their own, not those of their classes. */
    private static Stream<String> commandNames() {
        Stream<String> named = Stream.<Class<?>>of(Command.class, Command.OfKey.class)
                .flatMap(command -> Arrays.stream(command.getPermittedSubclasses()))
                .filter(Class::isRecord)
                .map(Class::getSimpleName)
                .map(name -> name.replaceFirst("Command$", ""))
                .map(name -> name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1));
        GroupHome home = new GroupHome("customer:99");
        GroupListing.Span span = new GroupListing.Span(Element.of("a"), Element.of("b"), 1, false);
        return Stream.concat(
                named,
                Stream.of(
                                new GroupListing.Rows(home, span),
                                new GroupListing.Names(home, span),
                                new GroupListing.Forget(home, List.of()),
                                new GroupListing.Relist(home, List.of()),
                                new GroupListing.Hold(home),
                                new GroupListing.Release(home, Expiry.NEVER),
                                new GroupListing.Expire(home, List.of(), Expiry.NEVER),
                                new GroupListing.Aggregates(home),
                                new GroupListing.Weigh(home))
                        .map(GroupListing::name));
    }

    private static String section(String begin, String end) throws IOException {
        String fromBegin = Files.readString(DOCUMENT).split(Pattern.quote(begin), 2)[1];
        return fromBegin.split(Pattern.quote(end), 2)[0];
    }

    private static List<String> names(Pattern row, String text) {
        return row.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .distinct()
                .toList();
    }
}
