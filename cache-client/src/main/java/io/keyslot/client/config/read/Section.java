// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import io.keyslot.client.config.read.ConfigNode.Empty;
import io.keyslot.client.config.read.ConfigNode.Items;
import io.keyslot.client.config.read.ConfigNode.Mapping;
import io.keyslot.client.config.read.ConfigNode.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A mapping of settings. Returns their values by key; its constructor reports unknown keys. */
final class Section {
    private final ValueReader reader;
    private final String path;
    private final String pattern;
    private final Mapping mapping;

    private Section(ValueReader reader, String path, String pattern, Mapping mapping) {
        this.reader = reader;
        this.path = path;
        this.pattern = pattern;
        this.mapping = mapping;
        Set<String> known = Setting.keysIn(pattern);
        mapping.entries().forEach((key, node) -> {
            if (!known.contains(key)) {
                reader.problems().add(node.where(), pathOf(Shown.key(key)) + " " + UnknownKey.explain(key, known));
            }
        });
    }

    static Section root(ValueReader reader, Mapping mapping) {
        return new Section(reader, "", "", mapping);
    }

    /** Returns the section of a key; an empty one if the key is missing, empty or not a mapping. */
    Section section(String key) {
        return of(pathOf(key), childOf(pattern, key), mapping.entries().get(key));
    }

    Section named(String key, String name, ConfigNode node) {
        return of(pathOf(key) + "." + Shown.key(name), childOf(pattern, key) + ".<name>", node);
    }

    private Section of(String childPath, String childPattern, @Nullable ConfigNode node) {
        if (node instanceof Mapping child) {
            return new Section(reader, childPath, childPattern, child);
        }
        checkMapping(childPath, node);
        Location where = node == null ? mapping.where() : node.where();
        return new Section(reader, childPath, childPattern, new Mapping(where, Map.of()));
    }

    Optional<ConfigNode> node(String key) {
        return Optional.ofNullable(mapping.entries().get(key));
    }

    <T> Optional<T> read(String key, ValueType<T> type) {
        return node(key).flatMap(node -> reader.read(pathOf(key), node, type));
    }

    /** Returns the values of a list, or of a text with commas, without those that had a problem. */
    <T> List<T> readAll(String key, ValueType<T> type) {
        List<T> values = new ArrayList<>();
        node(key)
                .ifPresent(node -> piecesOf(node)
                        .forEach(piece -> reader.read(pathOf(key), piece, type).ifPresent(values::add)));
        return values;
    }

    private static List<ConfigNode> piecesOf(ConfigNode node) {
        if (node instanceof Items list) {
            return list.items();
        }
        if (!(node instanceof Text text)) {
            return List.of(node);
        }
        List<ConfigNode> pieces = new ArrayList<>();
        if (!text.raw().isBlank()) {
            Substitution.split(text.raw()).forEach(piece -> pieces.add(new Text(text.where(), piece)));
        }
        return pieces;
    }

    boolean isEmpty() {
        return mapping.entries().isEmpty();
    }

    /** Reports a problem if the value of the key is neither a mapping nor empty. */
    void checkMapping(String key) {
        checkMapping(pathOf(key), mapping.entries().get(key));
    }

    private void checkMapping(String childPath, @Nullable ConfigNode node) {
        if (node != null && !(node instanceof Empty) && !(node instanceof Mapping)) {
            reader.problems().add(node.where(), "%s is %s, must be a mapping".formatted(childPath, node.kind()));
        }
    }

    Location where(String key) {
        return node(key).map(ConfigNode::where).orElse(mapping.where());
    }

    void problem(String key, String predicate) {
        reader.problems().add(where(key), pathOf(key) + " " + predicate);
    }

    /** Reports that a single value breaks a rule that is not part of its type. */
    void refuse(String key, String rule) {
        if (node(key).orElse(null) instanceof Text text) {
            problem(key, "is %s, %s".formatted(Shown.quoted(text.raw()), rule));
        }
    }

    String pathOf(String key) {
        return childOf(path, key);
    }

    private static String childOf(String parent, String key) {
        return parent.isEmpty() ? key : parent + "." + key;
    }
}
