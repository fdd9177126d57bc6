// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.near.NearOptions;
import io.keyslot.client.config.Access;
import io.keyslot.client.config.AsyncOptions;
import io.keyslot.client.config.CacheOptions;
import io.keyslot.client.config.CatalogueOptions;
import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.CodecOptions;
import io.keyslot.client.config.ConfigurationException;
import io.keyslot.client.config.Deadlines;
import io.keyslot.client.config.EmbeddedOptions;
import io.keyslot.client.config.GroupLimits;
import io.keyslot.client.config.PlacementOptions;
import io.keyslot.client.config.read.ConfigNode.Mapping;
import io.keyslot.client.partition.Adoption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Converts a tree of settings into options. Reports problems, and continues with the default. */
final class OptionsReader {
    private static final ValueType<Duration> STARTUP_WAIT = Durations.between(Duration.ZERO, Duration.ofMinutes(10));
    private static final ValueType<Long> MEMORY = Sizes.between(EmbeddedOptions.SMALLEST, EmbeddedOptions.LARGEST);
    private static final ValueType<CatalogueOptions> CATALOGUE =
            new ValueType<>("must be configuration or instances", CatalogueOptions::parse);
    private static final ValueType<Integer> THREADS = ValueType.number(1, AsyncOptions.MOST_THREADS);
    private static final ValueType<Integer> QUEUE = ValueType.number(1, AsyncOptions.LONGEST_QUEUE);
    private static final ValueType<Duration> WAIT =
            Durations.between(AsyncOptions.SHORTEST_WAIT, AsyncOptions.LONGEST_WAIT);
    private static final ValueType<Integer> LOADING_THREADS = ValueType.number(1, ClientOptions.MOST_LOADING_THREADS);

    private static final ValueType<Duration> TRAFFIC_REPORTS =
            Durations.orOff(Duration.ofSeconds(1), Duration.ofHours(1));

    private final ClientOptions defaults = ClientOptions.embeddedDefaults();
    private final ValueReader reader;
    private final Section root;
    private final NamedClasses classes;
    private final UnaryOperator<Access> given;

    /** Creates a reader; {@code given} replaces the login and TLS settings by objects of the application. */
    OptionsReader(ValueReader reader, Mapping root, NamedClasses classes, UnaryOperator<Access> given) {
        this.given = given;
        this.reader = reader;
        this.classes = classes;
        this.root = Section.root(reader, root);
    }

    /** Returns the options; throws {@link ConfigurationException} if there are any problems, also earlier ones. */
    ClientOptions read(String origin) {
        PartitionsReader.Layout layout = new PartitionsReader(root, reader).read();
        String namespace = root.read("namespace", ValueType.NAMESPACE).orElse(defaults.namespace());
        boolean shared = root.read("sharedInstances", ValueType.FLAG).orElse(defaults.sharedInstances());
        Adoption adopt = root.read("adoptInstances", ValueType.ADOPTION).orElse(defaults.adoptInstances());
        CatalogueOptions catalogue = root.read("catalogue", CATALOGUE)
                .orElseGet(() -> CatalogueOptions.of(layout.engine()))
                .with(
                        root.section("connection").readAll("hosts", ValueType.HOST_PATTERN),
                        root.section("map").read("key", ValueType.NAME).orElse(""));
        List<PlacementOptions> placements = new PlacementsReader(root, reader, layout.names()).read();
        Deadlines deadlines = DeadlinesReader.read(root.section("deadlines"));
        Access access = given.apply(new AccessReader(reader.problems()).read(root, layout.isEncrypted()));
        EntryLimits limits = LimitsReader.read(root.section("limits"), defaults.limits());
        GroupLimits groups = GroupsReader.read(root.section("groups"), defaults.groups());
        CodecOptions codec = codec(root.section("codec"));
        EmbeddedOptions embedded = embedded(root.section("embedded"));
        AsyncOptions async = async(root.section("async"));
        int loadingThreads =
                root.section("loading").read("threads", LOADING_THREADS).orElse(defaults.loadingThreads());
        Duration wait = root.section("startup").read("wait", STARTUP_WAIT).orElse(defaults.startupWait());
        boolean metrics = root.read("metrics", ValueType.FLAG).orElse(defaults.metrics());
        Duration trafficReports = root.read("trafficReports", TRAFFIC_REPORTS).orElse(defaults.trafficReports());
        NearOptions near = NearReader.read(root).orElse(null);
        String zone = root.read("zone", ValueType.ZONE).orElse(defaults.zone());
        Map<String, CacheOptions> caches = new CachesReader(root, limits, near, classes, namespace).read();

        reader.problems().throwIfAny(origin);
        return new ClientOptions(
                origin,
                layout.engine(),
                layout.partitions(access),
                new ClientOptions.Sharing(namespace, shared, adopt, catalogue, placements),
                deadlines,
                access,
                new ClientOptions.Bounds(limits, groups),
                codec,
                new ClientOptions.ProcessUse(
                        embedded, async, loadingThreads, wait, metrics, trafficReports, near, zone),
                caches);
    }

    private CodecOptions codec(Section section) {
        return new CodecOptions(
                classes.codec(section, "default").orElse(defaults.codec().defaultName()),
                section.readAll("allow", ValueType.CLASS_PATTERN));
    }

    private EmbeddedOptions embedded(Section section) {
        return section.read("maximumSize", MEMORY).map(EmbeddedOptions::new).orElse(defaults.embedded());
    }

    private AsyncOptions async(Section section) {
        return new AsyncOptions(
                section.read("threads", THREADS).orElse(defaults.async().threads()),
                section.read("queue", QUEUE).orElse(defaults.async().queue()),
                section.read("wait", WAIT).orElse(defaults.async().longestWait()));
    }
}
