// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.cache.EntryLimits;
import io.keyslot.client.config.ClientOptions.CatalogueOptions;
import io.keyslot.client.config.ClientOptions.CodecOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.config.ClientOptions.GroupLimits;
import io.keyslot.client.config.ClientOptions.PlacementOptions;
import io.keyslot.client.config.ClientOptions.PlacementOptions.Listed;
import io.keyslot.client.config.ClientOptions.PlacementOptions.Range;
import io.keyslot.client.config.ClientOptions.PlacementOptions.Target;
import io.keyslot.client.config.ClientOptions.QueueOptions;
import io.keyslot.client.config.ConfigNode.Mapping;
import io.keyslot.client.partition.Adoption;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts a tree of settings into options. Reports problems, and continues with the default.
 *
 * @param given replaces the login and TLS settings by objects of the application
 * @param allowed patterns of a framework, in addition to {@code codec.allow}
 */
record OptionsReader(Section root, NamedClasses classes, UnaryOperator<Access> given, List<?> allowed) {
    private static final String PLACEMENTS = "placements";
    private static final String QUEUES = "queues";
    private static final String DOTS = "..";
    private static final Pattern TARGET = Pattern.compile("(\\S+)(?:\\s+width=([1248]))?");

    /** Returns the options; throws {@link ConfigurationException} if there are any problems, also earlier ones. */
    ClientOptions read(String origin) {
        PartitionsReader.Layout layout = new PartitionsReader(root).read();
        String namespace = root.read("namespace", String.class).orElse("");
        boolean shared = root.value("sharedInstances", Boolean.class);
        Adoption adopt = root.value("adoptInstances", Adoption.class);
        CatalogueOptions catalogue = new CatalogueOptions(
                root.read("catalogue", CatalogueOptions.Kind.class)
                        .orElse(
                                layout.engine() == Engine.INSTANCES
                                        ? CatalogueOptions.Kind.INSTANCES
                                        : CatalogueOptions.Kind.CONFIGURATION),
                root.section("connection").readAll("hosts", String.class),
                root.section("map").read("key", String.class).orElse(""));
        List<PlacementOptions> placements = placements(layout.names());
        Deadlines deadlines = deadlines(root.section("deadlines"));
        Access access = given.apply(new AccessReader(root).read(layout.isEncrypted()));
        EntryLimits limits = limits(root.section("limits"));
        Section groups = root.section("groups");
        GroupLimits groupLimits =
                new GroupLimits(groups.value("entries", Integer.class), groups.value("bytes", Long.class));
        Section codecs = root.section("codec");
        CodecOptions codec = new CodecOptions(
                classes.codec(codecs, "default").orElse(CodecOptions.defaults().defaultName()),
                Stream.concat(
                                codecs.readAll("allow", String.class).stream(),
                                allowed.stream().map(String::valueOf))
                        .distinct()
                        .toList());
        long embedded = root.section("embedded").value("maximumSize", Long.class);
        int asyncThreads = root.section("async").value("threads", Integer.class);
        int loadingThreads = root.section("loading").value("threads", Integer.class);
        Duration wait = root.section("startup").value("wait", Duration.class);
        boolean metrics = root.value("metrics", Boolean.class);
        Duration trafficReports = root.value("trafficReports", Duration.class);
        String zone = root.read("zone", String.class).orElse("");
        CachesReader reader = new CachesReader(root, CachesReader.near(root).orElse(null), classes, namespace);
        Map<String, CacheOptions> caches = reader.read();
        Map<String, QueueOptions> queues = queues();
        placements.stream()
                .filter(placement ->
                        ClientOptions.storedOf(placement.rootType(), caches).hashedKeys() != null)
                .forEach(placement -> root.problem(
                        PLACEMENTS,
                        "has %s, whose keys are hashed, so that no id can be named: leave out the placement, or hashedKeys"
                                .formatted(Problems.quoted(placement.rootType()))));
        root.problems().throwIfAny(origin);
        return new ClientOptions(
                origin,
                layout.engine(),
                layout.partitions(access),
                namespace,
                shared,
                adopt,
                catalogue,
                placements,
                deadlines,
                access,
                limits,
                groupLimits,
                codec,
                embedded,
                asyncThreads,
                loadingThreads,
                wait,
                metrics,
                trafficReports,
                reader.unnamed(),
                zone,
                caches,
                queues);
    }

    private Map<String, QueueOptions> queues() {
        Map<String, QueueOptions> queues = new HashMap<>();
        entries(root, QUEUES).forEach((name, node) -> {
            Section section = root.named(QUEUES, name, node);
            queues.put(
                    name,
                    new QueueOptions(
                            section.value("lease", Duration.class),
                            section.value("deliveries", Integer.class),
                            section.value("duplicateWindow", Duration.class),
                            section.value("atMost", Integer.class)));
        });
        return queues;
    }

    /** Returns the deadlines of the section; by default, a command has at most the deadline of the call. */
    private static Deadlines deadlines(Section section) {
        Deadlines defaults = Deadlines.defaults();
        Duration call = section.value("call", Duration.class);
        Duration command = section.read("command", Duration.class)
                .orElse(defaults.command().compareTo(call) < 0 ? defaults.command() : call);
        Duration connect = section.value("connect", Duration.class);
        if (command.compareTo(call) <= 0) {
            return new Deadlines(call, command, connect);
        }
        section.problem(
                "command",
                "is %s, must not be longer than deadlines.call, which is %s"
                        .formatted(ValueType.format(command), ValueType.format(call)));
        return defaults;
    }

    /** Reads {@code placements}, which refer to partitions of the same file. */
    private List<PlacementOptions> placements(Set<String> partitions) {
        ValueType<Target> targets = new ValueType<>(
                "text",
                "must be the name of a partition, and width=2, 4 or 8 behind it if it is to have several slots",
                text -> target(text, partitions));
        root.checkMapping(PLACEMENTS);
        List<PlacementOptions> placements = new ArrayList<>();
        if (root.node(PLACEMENTS).orElse(null) instanceof Mapping types) {
            types.entries()
                    .forEach((type, node) ->
                            placements.add(placement(type, root.named(PLACEMENTS, type, node), targets)));
        }
        return placements;
    }

    private static Optional<Target> target(String text, Set<String> partitions) {
        Matcher parts = TARGET.matcher(text);
        if (!parts.matches() || !partitions.contains(parts.group(1))) {
            return Optional.empty();
        }
        String width = parts.group(2);
        return Optional.of(new Target(new PartitionId(parts.group(1)), width == null ? 1 : Integer.parseInt(width)));
    }

    private static PlacementOptions placement(String type, Section section, ValueType<Target> targets) {
        List<Listed> list = new ArrayList<>();
        entries(section, "list")
                .forEach((id, node) -> section.read(section.pathOf("list") + "." + id, node, targets)
                        .ifPresent(target -> list.add(new Listed(id, target))));
        List<Range> ranges = new ArrayList<>();
        entries(section, "ranges").forEach((bounds, node) -> {
            String path = section.pathOf("ranges") + "." + bounds;
            int dots = bounds.indexOf(DOTS);
            if (dots < 0) {
                section.problems().add(node.where(), path + " is no range: must be such as 0..100, ..100 or 100..");
            } else {
                section.read(path, node, targets)
                        .ifPresent(target -> ranges.add(new Range(
                                bound(bounds.substring(0, dots)),
                                bound(bounds.substring(dots + DOTS.length())),
                                target)));
            }
        });
        Optional<String> rangesOf = section.read("rangesOf", String.class);
        if (rangesOf.isPresent() == ranges.isEmpty()) {
            section.problem("rangesOf", "must say what the ids in ranges are, if and only if there are ranges");
        }
        boolean refuses = section.value("else", String.class).equals("refuse");
        return new PlacementOptions(type, rangesOf, list, ranges, refuses);
    }

    private static @Nullable String bound(String text) {
        return text.isEmpty() ? null : text;
    }

    private static Map<String, ConfigNode> entries(Section section, String key) {
        section.checkMapping(key);
        return section.node(key).orElse(null) instanceof Mapping mapping ? mapping.entries() : Map.of();
    }

    private static EntryLimits limits(Section section) {
        return new EntryLimits(
                Math.toIntExact(section.value("keyBytes", Long.class)),
                Math.toIntExact(section.value("valueBytes", Long.class)),
                section.value("batchKeys", Integer.class));
    }
}
