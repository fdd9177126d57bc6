// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.ReplicaOptions;
import io.keyslot.client.config.read.ConfigNode.Items;
import io.keyslot.client.config.read.ConfigNode.Mapping;
import io.keyslot.client.config.read.ConfigNode.Text;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code replicas} of a partition: addresses, each alone or with a zone; as text, {@code zone=address}. */
final class ReplicasReader {
    private static final String URI = "uri";
    private static final String ZONE = "zone";
    private static final Set<String> KEYS = Set.of(URI, ZONE);

    private final String path;
    private final ValueReader reader;

    ReplicasReader(String path, ValueReader reader) {
        this.path = path;
        this.reader = reader;
    }

    List<ReplicaOptions> read(ConfigNode node) {
        List<ConfigNode> pieces = piecesOf(node);
        if (pieces.isEmpty()) {
            reader.problems().add(node.where(), path + " has no address in it");
        }
        return pieces.stream()
                .map(piece -> piece instanceof Mapping mapping ? inZone(mapping) : alone(piece))
                .flatMap(Optional::stream)
                .toList();
    }

    private static List<ConfigNode> piecesOf(ConfigNode node) {
        if (node instanceof Items list) {
            return list.items();
        }
        return node instanceof Text text
                ? Substitution.split(text.raw()).stream()
                        .map(piece -> (ConfigNode) new Text(text.where(), piece.strip()))
                        .toList()
                : List.of(node);
    }

    private Optional<ReplicaOptions> alone(ConfigNode piece) {
        if (piece instanceof Text text) {
            int equals = Substitution.indexOutside(text.raw(), "=", 0);
            int slash = Substitution.indexOutside(text.raw(), "/", 0);
            if (equals >= 0 && equals < slash) {
                Text zone =
                        new Text(text.where(), text.raw().substring(0, equals).strip());
                Text uri =
                        new Text(text.where(), text.raw().substring(equals + 1).strip());
                return inZone(uri, zone);
            }
        }
        return address(path, piece).map(uri -> new ReplicaOptions(uri, ""));
    }

    private Optional<ReplicaOptions> inZone(Mapping mapping) {
        mapping.entries().forEach((key, node) -> {
            if (!KEYS.contains(key)) {
                reader.problems()
                        .add(node.where(), "%s.%s %s".formatted(path, Shown.key(key), UnknownKey.explain(key, KEYS)));
            }
        });
        ConfigNode uri = mapping.entries().get(URI);
        ConfigNode zone = mapping.entries().get(ZONE);
        if (uri == null) {
            reader.problems().add(mapping.where(), path + " has a replica without uri, must be an address");
            return Optional.empty();
        }
        return zone == null
                ? address(path + "." + URI, uri).map(address -> new ReplicaOptions(address, ""))
                : inZone(uri, zone);
    }

    private Optional<ReplicaOptions> inZone(ConfigNode uri, ConfigNode zone) {
        String said = reader.read(path + "." + ZONE, zone, ValueType.ZONE).orElse("");
        return address(path + "." + URI, uri).map(address -> new ReplicaOptions(address, said));
    }

    private Optional<PartitionUri> address(String called, ConfigNode node) {
        if (!(node instanceof Text text)) {
            reader.problems().add(node.where(), "%s is %s, must be an address".formatted(called, node.kind()));
            return Optional.empty();
        }
        try {
            PartitionUri uri = new PartitionUriParser(reader.substitution()::resolve).parse(text.raw());
            if (uri.sentinels() != null) {
                reader.problems().add(node.where(), called + " names sentinels, must name the replica itself");
            }
            return Optional.of(uri);
        } catch (BadValueException e) {
            reader.problems().add(text.where(), called + " " + e.predicate());
            return Optional.empty();
        }
    }
}
