// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.client.config.ConfigNode.Empty;
import io.keyslot.client.config.ConfigNode.Items;
import io.keyslot.client.config.ConfigNode.Location;
import io.keyslot.client.config.ConfigNode.Mapping;
import io.keyslot.client.config.ConfigNode.Text;
import io.keyslot.client.config.PartitionOptions.ReplicaOptions;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code engine} and {@code partitions}, and checks that they fit together. The partitions are a number,
 * addresses, or a mapping by name.
 */
final class PartitionsReader {
    static final int MOST = 1000;

    /** The embedded partitions without a configuration. */
    private static final List<String> DEFAULTS = List.of("p1", "p2", "p3");

    private static final String ENGINE = "engine";
    private static final String PARTITIONS = "partitions";
    private static final String URI = "uri";
    private static final String ZONE = "zone";
    private static final Set<String> REPLICA_KEYS = Set.of(URI, ZONE);
    private static final String SENTINELS = "+sentinel://";
    private static final String RULE =
            "must be a number from 1 to %d, a list of addresses (redis://host:port), or a mapping by name"
                    .formatted(MOST);
    private static final String NAME_RULE = "must have a name of 1 to 64 letters from a to z, digits, '.', '-' or '_'";

    private final Section root;
    private final Problems problems;
    private final Map<PartitionId, Draft> drafts = new LinkedHashMap<>();

    PartitionsReader(Section root) {
        this.root = root;
        this.problems = root.problems();
    }

    /** The engine and its partitions; incomplete after a problem. */
    record Layout(Engine engine, Collection<Draft> drafts) {
        Set<String> names() {
            return drafts.isEmpty()
                    ? Set.copyOf(DEFAULTS)
                    : drafts.stream().map(draft -> draft.id().name()).collect(Collectors.toSet());
        }

        boolean isEncrypted() {
            return drafts.stream().map(Draft::uri).anyMatch(uri -> uri != null && uri.tls());
        }

        List<PartitionOptions> partitions(Access access) {
            return drafts.isEmpty()
                    ? DEFAULTS.stream().map(PartitionOptions::embedded).toList()
                    : drafts.stream().map(draft -> draft.toOptions(access)).toList();
        }
    }

    /**
     * A partition as written in the file, before it is compared with the others; null and empty parts were not written, or
     * cannot be read. {@code addressed} is whether an address was written, readable or not.
     */
    record Draft(
            Location where,
            PartitionId id,
            boolean addressed,
            @Nullable PartitionUri uri,
            @Nullable Integer weight,
            Access access,
            String zone,
            List<ReplicaOptions> replicas) {
        static Draft named(Location where, PartitionId id) {
            return new Draft(where, id, false, null, null, Access.NONE, "", List.of());
        }

        String path() {
            return "partitions." + id;
        }

        PartitionOptions toOptions(Access others) {
            Access whole = access.or(others);
            return new PartitionOptions(
                    id,
                    uri == null ? null : uri.withDefault(whole.login()),
                    weight == null ? 1 : weight,
                    uri == null ? Access.NONE : whole,
                    zone,
                    replicas.stream()
                            .map(replica -> replica.withDefault(whole.login()))
                            .toList());
        }
    }

    Layout read() {
        Optional<Engine> chosen = root.read(ENGINE, Engine.class);
        root.node(PARTITIONS).ifPresent(this::read);
        // Addresses imply engine instances.
        boolean addressed = drafts.values().stream().anyMatch(Draft::addressed);
        Engine engine = chosen.orElse(addressed ? Engine.INSTANCES : Engine.EMBEDDED);
        checkEngine(engine, addressed);
        if (engine == Engine.CLUSTER) {
            checkCluster();
        } else {
            checkWeights();
        }
        return new Layout(engine, drafts.values());
    }

    // ---- the forms of partitions

    private void read(ConfigNode node) {
        if (node instanceof Text text) {
            root.resolve(PARTITIONS, text).ifPresent(resolved -> readText(text, resolved));
        } else if (node instanceof Items list && !list.items().isEmpty()) {
            readItems(list.items());
        } else if (node instanceof Mapping mapping && !mapping.entries().isEmpty()) {
            mapping.entries().forEach(this::readNamed);
        } else {
            root.problem(PARTITIONS, "has no partition in it, " + RULE);
        }
        if (drafts.size() > MOST) {
            root.problem(PARTITIONS, "has %d partitions, must have at most %d".formatted(drafts.size(), MOST));
        }
    }

    private void readText(Text text, String resolved) {
        if (!resolved.isEmpty() && resolved.chars().allMatch(c -> c >= '0' && c <= '9')) {
            root.read(PARTITIONS, Integer.class)
                    .ifPresent(count -> IntStream.rangeClosed(1, count)
                            .forEach(number -> add(Draft.named(text.where(), numbered(number)))));
        } else if (!text.raw().contains("://") && !text.raw().contains("${")) {
            root.problem(PARTITIONS, "is %s, %s".formatted(Problems.quoted(text.raw()), RULE));
        } else {
            readAddresses(text);
        }
    }

    /** Reads addresses separated by commas, each alone or as {@code name=address}. */
    private void readAddresses(Text text) {
        int number = 0;
        for (String piece : wholeAddresses(Substitution.split(text.raw()))) {
            number++;
            int equals = equalsBefore(piece);
            Optional<PartitionId> id = equals < 0
                    ? Optional.of(numbered(number))
                    : name(text.where(), piece.substring(0, equals).strip());
            id.ifPresent(it ->
                    addAddress(text.where(), it, piece.substring(equals + 1).strip()));
        }
    }

    /** Returns the index of the equals sign after a name before an address, or -1. */
    private static int equalsBefore(String piece) {
        int equals = Substitution.indexOutside(piece, "=", 0);
        int slash = Substitution.indexOutside(piece, "/", 0);
        return slash < 0 || equals < slash ? equals : -1;
    }

    /** Joins pieces of one address: commas also separate its sentinels, until the service name. */
    private static List<String> wholeAddresses(List<String> pieces) {
        List<String> whole = new ArrayList<>();
        for (String piece : pieces) {
            String before = whole.isEmpty() ? "" : whole.get(whole.size() - 1);
            int sentinels = before.indexOf(SENTINELS);
            if (sentinels >= 0 && before.indexOf('/', sentinels + SENTINELS.length()) < 0) {
                whole.set(whole.size() - 1, before + "," + piece);
            } else {
                whole.add(piece);
            }
        }
        return whole;
    }

    private void readItems(List<ConfigNode> items) {
        for (int index = 0; index < items.size(); index++) {
            ConfigNode item = items.get(index);
            if (item instanceof Text text) {
                addAddress(text.where(), numbered(index + 1), text.raw());
            } else {
                problems.add(
                        item.where(), "%s has %s in its list, must be addresses".formatted(PARTITIONS, item.kind()));
            }
        }
    }

    private void readNamed(String key, ConfigNode node) {
        Optional<PartitionId> id = name(node.where(), key);
        if (id.isEmpty()) {
            return;
        }
        if (node instanceof Text text) {
            addAddress(text.where(), id.get(), text.raw());
        } else if (node instanceof Empty) {
            add(Draft.named(node.where(), id.get()));
        } else {
            Section section = root.named(PARTITIONS, key, node);
            Optional<ConfigNode> uri = section.node(URI);
            add(new Draft(
                    node.where(),
                    id.get(),
                    uri.isPresent(),
                    uri.flatMap(it -> root.address(section.pathOf(URI), it)).orElse(null),
                    section.read("weight", Integer.class).orElse(null),
                    new AccessReader(section).read(false),
                    section.read(ZONE, String.class).orElse(""),
                    section.node("replicas")
                            .map(it -> replicas(section.pathOf("replicas"), it))
                            .orElse(List.of())));
        }
    }

    private void addAddress(Location where, PartitionId id, String raw) {
        PartitionUri uri =
                root.address(PARTITIONS + "." + id, new Text(where, raw)).orElse(null);
        add(new Draft(where, id, true, uri, null, Access.NONE, "", List.of()));
    }

    private static PartitionId numbered(int number) {
        return new PartitionId("p" + number);
    }

    private void add(Draft draft) {
        if (drafts.putIfAbsent(draft.id(), draft) != null) {
            problem(draft, "is given twice");
        }
    }

    private Optional<PartitionId> name(Location where, String name) {
        try {
            return Optional.of(new PartitionId(name));
        } catch (IllegalArgumentException e) {
            problems.add(where, "%s.%s %s".formatted(PARTITIONS, Problems.key(name), NAME_RULE));
            return Optional.empty();
        }
    }

    /** Reads {@code replicas}: addresses, each alone or with a zone; as text, {@code zone=address}. */
    private List<ReplicaOptions> replicas(String path, ConfigNode node) {
        List<ConfigNode> pieces = Section.piecesOf(node);
        if (pieces.isEmpty()) {
            problems.add(node.where(), path + " has no address in it");
        }
        return pieces.stream()
                .map(piece -> replica(path, piece))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<ReplicaOptions> replica(String path, ConfigNode piece) {
        if (piece instanceof Mapping mapping) {
            return replica(path, mapping);
        }
        if (piece instanceof Text text) {
            int equals = equalsBefore(text.raw());
            if (equals >= 0) {
                Text zone =
                        new Text(text.where(), text.raw().substring(0, equals).strip());
                Text uri =
                        new Text(text.where(), text.raw().substring(equals + 1).strip());
                return replica(path, new Mapping(text.where(), Map.of(ZONE, zone, URI, uri)));
            }
        }
        return replicaAddress(path, piece).map(uri -> new ReplicaOptions(uri, ""));
    }

    private Optional<ReplicaOptions> replica(String path, Mapping mapping) {
        mapping.entries().forEach((key, node) -> {
            if (!REPLICA_KEYS.contains(key)) {
                problems.add(
                        node.where(),
                        "%s.%s %s".formatted(path, Problems.key(key), UnknownKey.explain(key, REPLICA_KEYS)));
            }
        });
        ConfigNode uri = mapping.entries().get(URI);
        ConfigNode zone = mapping.entries().get(ZONE);
        if (uri == null) {
            problems.add(mapping.where(), path + " has a replica without uri, must be an address");
            return Optional.empty();
        }
        String said = zone == null
                ? ""
                : root.read(path + "." + ZONE, zone, ValueType.LABEL).orElse("");
        return replicaAddress(path + "." + URI, uri).map(address -> new ReplicaOptions(address, said));
    }

    private Optional<PartitionUri> replicaAddress(String path, ConfigNode node) {
        Optional<PartitionUri> uri = root.address(path, node);
        if (uri.filter(it -> it.sentinels() != null).isPresent()) {
            problems.add(node.where(), path + " names sentinels, must name the replica itself");
        }
        return uri;
    }

    // ---- checks

    private void checkEngine(Engine engine, boolean addressed) {
        if (engine != Engine.INSTANCES) {
            drafts.values().stream()
                    .filter(draft -> !draft.replicas().isEmpty())
                    .forEach(draft ->
                            problem(draft, "has replicas, which only engine instances reads: leave them away"));
        }
        if (engine.isAddressed()) {
            checkAddresses(engine.name().toLowerCase(Locale.ROOT), addressed);
        } else if (addressed) {
            root.problem(
                    ENGINE,
                    "is embedded, but partitions have addresses: leave engine away, or leave the addresses away");
        }
    }

    private void checkAddresses(String engine, boolean addressed) {
        if (root.node(PARTITIONS).isEmpty()) {
            root.problem(
                    ENGINE,
                    "is %s, but there are no partitions: list their addresses under partitions".formatted(engine));
        } else if (!addressed && !drafts.isEmpty()) {
            root.problem(
                    PARTITIONS,
                    "has no addresses, which engine %s needs: write redis://host:port for each".formatted(engine));
        } else {
            drafts.values().stream()
                    .filter(draft -> !draft.addressed())
                    .forEach(draft -> problem(draft, "has no address, which engine %s needs".formatted(engine)));
            checkDistinct();
        }
    }

    private void checkDistinct() {
        Map<String, Draft> byAddress = new HashMap<>();
        for (Draft draft : drafts.values()) {
            Draft first = draft.uri() == null
                    ? null
                    : byAddress.putIfAbsent(draft.uri().address(), draft);
            if (first != null) {
                problem(
                        draft,
                        "has the address of %s: each partition needs an instance of its own".formatted(first.path()));
            }
        }
    }

    /** Refuses settings that have no meaning with engine cluster, where the servers own the slots. */
    private void checkCluster() {
        for (Draft seed : drafts.values()) {
            if (seed.weight() != null) {
                problem(seed, "has a weight, but engine is cluster, where the servers own the slots: leave it away");
            }
            if (seed.uri() != null && seed.uri().sentinels() != null) {
                problem(seed, "names sentinels, but engine is cluster, which has none: name nodes");
            }
            if (seed.uri() != null && seed.uri().database() != 0) {
                problem(
                        seed,
                        "names database %d, but engine is cluster, which has database 0 only"
                                .formatted(seed.uri().database()));
            }
        }
        List<PartitionUri> uris = drafts.values().stream()
                .map(Draft::uri)
                .flatMap(uri -> Optional.ofNullable(uri).stream())
                .toList();
        if (uris.stream().map(PartitionUri::tls).distinct().count() > 1) {
            root.problem(PARTITIONS, "has nodes of one cluster with and without encryption: write one of the two");
        }
        refuse("catalogue", "the servers say who owns which slot");
        refuse("placements", "the servers own the slots, and hash every key");
        refuse("trafficReports", "Keyslot does not move slots of a cluster");
    }

    private void refuse(String setting, String reason) {
        if (root.node(setting).isPresent()) {
            root.problem(setting, "makes no sense with engine cluster, where %s: leave it away".formatted(reason));
        }
    }

    private void checkWeights() {
        Map<PartitionId, Integer> weights = new LinkedHashMap<>();
        drafts.forEach((id, draft) -> weights.put(id, draft.weight() == null ? 1 : draft.weight()));
        if (weights.isEmpty()) {
            return;
        }
        if (weights.values().stream().allMatch(weight -> weight == 0)) {
            root.problem(PARTITIONS, "leaves all slots without an owner: at least one weight must be above 0");
            return;
        }
        SlotMap map = SlotMap.ofWeights(1, weights);
        drafts.values().stream()
                .filter(draft ->
                        map.slotsOf(draft.id()) == 0 && !Integer.valueOf(0).equals(draft.weight()))
                .forEach(draft ->
                        problem(draft, "would own no slot: its weight is too small beside those of the others"));
    }

    private void problem(Draft draft, String predicate) {
        problems.add(draft.where(), draft.path() + " " + predicate);
    }
}
