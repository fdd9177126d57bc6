// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.ConfigNode.Empty;
import io.keyslot.client.config.ConfigNode.Items;
import io.keyslot.client.config.ConfigNode.Location;
import io.keyslot.client.config.ConfigNode.Mapping;
import io.keyslot.client.config.ConfigNode.Text;
import io.keyslot.client.config.PartitionOptions.ReplicaOptions;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads {@code partitions} in any of its forms: a number, addresses, names, or a mapping by name. */
final class PartitionForms {
    private static final String URI = "uri";
    private static final String ZONE = "zone";
    private static final Set<String> REPLICA_KEYS = Set.of(URI, ZONE);

    static final int MOST = 1000;

    private static final String KEY = "partitions";
    private static final String SENTINELS = "+sentinel://";
    private static final String RULE =
            "must be a number from 1 to %d, a list of addresses (redis://host:port) or names, or a mapping by name"
                    .formatted(MOST);
    static final ValueType<Integer> WEIGHT = ValueType.number(0, PartitionOptions.LARGEST_WEIGHT);
    private static final String NAME_RULE = "must have a name of 1 to 64 letters from a to z, digits, '.', '-' or '_'";

    private final Section root;
    private final Problems problems;
    private final Map<PartitionId, Draft> drafts = new LinkedHashMap<>();

    PartitionForms(Section root) {
        this.root = root;
        this.problems = root.problems();
    }

    List<Draft> read(ConfigNode node) {
        if (node instanceof Text text) {
            root.resolve(KEY, text).ifPresent(resolved -> readText(text, resolved));
        } else if (node instanceof Items list && !list.items().isEmpty()) {
            readItems(list.items());
        } else if (node instanceof Mapping mapping && !mapping.entries().isEmpty()) {
            mapping.entries().forEach(this::readNamed);
        } else {
            root.problem(KEY, "has no partition in it, " + RULE);
        }
        if (drafts.size() > MOST) {
            root.problem(KEY, "has %d partitions, must have at most %d".formatted(drafts.size(), MOST));
        }
        return List.copyOf(drafts.values());
    }

    private void readText(Text text, String resolved) {
        if (isNumber(resolved)) {
            root.read(KEY, Integer.class)
                    .ifPresent(count -> IntStream.rangeClosed(1, count)
                            .forEach(number -> add(Draft.named(text.where(), numbered(number)))));
        } else if (!text.raw().contains("://") && !text.raw().contains("${")) {
            root.problem(KEY, "is %s, %s".formatted(Problems.quoted(text.raw()), RULE));
        } else {
            readAddresses(text);
        }
    }

    /** Reads addresses separated by commas, each alone or as {@code name=address}. */
    private void readAddresses(Text text) {
        int number = 0;
        for (String piece : wholeAddresses(Substitution.split(text.raw()))) {
            number++;
            int equals = Substitution.indexOutside(piece, "=", 0);
            int slash = Substitution.indexOutside(piece, "/", 0);
            boolean named = equals >= 0 && (slash < 0 || equals < slash);
            Optional<PartitionId> id =
                    named ? name(text.where(), piece.substring(0, equals).strip()) : Optional.of(numbered(number));
            String address = named ? piece.substring(equals + 1).strip() : piece;
            id.ifPresent(it -> addAddress(text.where(), it, address));
        }
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
            if (!(item instanceof Text text)) {
                problems.add(
                        item.where(), "%s has %s in its list, must be addresses or names".formatted(KEY, item.kind()));
            } else if (id(text.raw()).isPresent()) {
                name(text.where(), text.raw()).ifPresent(id -> add(Draft.named(text.where(), id)));
            } else {
                addAddress(text.where(), numbered(index + 1), text.raw());
            }
        }
    }

    private void readNamed(String key, ConfigNode node) {
        Optional<PartitionId> id = name(node.where(), key);
        if (id.isEmpty()) {
            return;
        }
        if (node instanceof Text text && !isNumber(text.raw())) {
            addAddress(text.where(), id.get(), text.raw());
        } else if (node instanceof Text weight) {
            Integer value = root.read(KEY + "." + key, weight, WEIGHT).orElse(null);
            add(new Draft(node.where(), id.get(), false, null, value, null, Access.NONE, "", List.of()));
        } else if (node instanceof Empty) {
            add(Draft.named(node.where(), id.get()));
        } else {
            add(ofSection(node, id.get(), root.named(KEY, key, node)));
        }
    }

    private Draft ofSection(ConfigNode node, PartitionId id, Section section) {
        Optional<ConfigNode> uri = section.node(URI);
        return new Draft(
                node.where(),
                id,
                uri.isPresent(),
                uri.flatMap(it -> root.address(section.pathOf(URI), it)).orElse(null),
                section.read("weight", Integer.class).orElse(null),
                section.node("slots")
                        .map(it -> slots(section.pathOf("slots"), it))
                        .orElse(null),
                new AccessReader(section).read(false),
                section.read(ZONE, String.class).orElse(""),
                section.node("replicas")
                        .map(it -> replicas(section.pathOf("replicas"), it))
                        .orElse(List.of()));
    }

    private List<SlotRange> slots(String path, ConfigNode node) {
        List<ConfigNode> pieces = node instanceof Items list ? list.items() : List.of(node);
        List<SlotRange> ranges = new ArrayList<>();
        boolean complete = true;
        for (ConfigNode piece : pieces) {
            complete &=
                    root.read(path, piece, ValueType.SLOTS).map(ranges::addAll).isPresent();
        }
        if (pieces.isEmpty()) {
            problems.add(node.where(), path + " has no slot in it");
        }
        return complete ? ranges : List.of();
    }

    private void addAddress(Location where, PartitionId id, String raw) {
        PartitionUri uri = root.address(KEY + "." + id, new Text(where, raw)).orElse(null);
        add(new Draft(where, id, true, uri, null, null, Access.NONE, "", List.of()));
    }

    private static PartitionId numbered(int number) {
        return new PartitionId("p" + number);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Optional<PartitionId> id(String name) {
        try {
            return Optional.of(new PartitionId(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void add(Draft draft) {
        if (drafts.putIfAbsent(draft.id(), draft) != null) {
            problems.add(draft.where(), draft.path() + " is given twice");
        }
    }

    private Optional<PartitionId> name(Location where, String name) {
        Optional<PartitionId> id = id(name);
        if (id.isEmpty()) {
            problems.add(where, "%s.%s %s".formatted(KEY, Problems.key(name), NAME_RULE));
        }
        return id;
    }

    /** Reads {@code replicas}: addresses, each alone or with a zone; as text, {@code zone=address}. */
    private List<ReplicaOptions> replicas(String path, ConfigNode node) {
        List<ConfigNode> pieces = node instanceof Text text
                ? Substitution.split(text.raw()).stream()
                        .map(piece -> (ConfigNode) new Text(text.where(), piece))
                        .toList()
                : Section.piecesOf(node);
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
            int equals = Substitution.indexOutside(text.raw(), "=", 0);
            int slash = Substitution.indexOutside(text.raw(), "/", 0);
            if (equals >= 0 && equals < slash) {
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
            @Nullable List<SlotRange> slots,
            Access access,
            String zone,
            List<ReplicaOptions> replicas) {

        static Draft named(Location where, PartitionId id) {
            return new Draft(where, id, false, null, null, null, Access.NONE, "", List.of());
        }

        String path() {
            return "partitions." + id;
        }

        PartitionOptions toOptions(Access others) {
            Access whole = access.or(others);
            PartitionUri address = uri == null ? null : uri.withDefault(whole.login());
            return new PartitionOptions(
                    id,
                    address,
                    weight == null ? 1 : weight,
                    slots == null ? List.of() : slots,
                    address == null ? Access.NONE : whole,
                    zone,
                    replicas.stream()
                            .map(replica -> replica.withDefault(whole.login()))
                            .toList());
        }
    }
}
