// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.ConfigNode.Empty;
import io.keyslot.client.config.ConfigNode.Items;
import io.keyslot.client.config.ConfigNode.Location;
import io.keyslot.client.config.ConfigNode.Mapping;
import io.keyslot.client.config.ConfigNode.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of settings. Returns their values by key, read as the table of settings says, and reports those that cannot
 * be read; its constructor reports unknown keys. Not thread-safe.
 */
record Section(Problems problems, Substitution substitution, String path, String pattern, Mapping mapping) {

    Section {
        Set<String> known = Setting.keysIn(pattern);
        mapping.entries().forEach((key, node) -> {
            if (!known.contains(key)) {
                problems.add(node.where(), childOf(path, Problems.key(key)) + " " + UnknownKey.explain(key, known));
            }
        });
    }

    static Section root(Problems problems, Substitution substitution, Mapping mapping) {
        return new Section(problems, substitution, "", "", mapping);
    }

    /** Returns the section of a key; an empty one if the key is missing, empty or not a mapping. */
    Section section(String key) {
        return of(pathOf(key), childOf(pattern, key), mapping.entries().get(key));
    }

    Section named(String key, String name, ConfigNode node) {
        return of(pathOf(key) + "." + Problems.key(name), childOf(pattern, key) + ".<name>", node);
    }

    private Section of(String childPath, String childPattern, @Nullable ConfigNode node) {
        if (node instanceof Mapping child) {
            return new Section(problems, substitution, childPath, childPattern, child);
        }
        checkMapping(childPath, node);
        Location where = node == null ? mapping.where() : node.where();
        return new Section(problems, substitution, childPath, childPattern, new Mapping(where, Map.of()));
    }

    Optional<ConfigNode> node(String key) {
        return Optional.ofNullable(mapping.entries().get(key));
    }

    <T> Optional<T> read(String key, Class<T> type) {
        ValueType<?> values = setting(key).single();
        return node(key).flatMap(node -> read(pathOf(key), node, values)).map(type::cast);
    }

    /** Returns the value, or the default of the table if it is missing or cannot be read. */
    <T> T value(String key, Class<T> type) {
        Setting setting = setting(key);
        return read(key, type)
                .orElseGet(() ->
                        type.cast(setting.single().parse(setting.otherwise()).orElseThrow()));
    }

    /** Returns the values of a list, or of a text with commas, without those that had a problem. */
    <T> List<T> readAll(String key, Class<T> type) {
        ValueType<?> values = setting(key).single();
        return node(key).stream()
                .flatMap(node -> piecesOf(node).stream())
                .flatMap(piece -> read(pathOf(key), piece, values).stream())
                .map(type::cast)
                .toList();
    }

    private Setting setting(String key) {
        return Setting.at(childOf(pattern, key));
    }

    /** Reads a node as a single value. */
    <T> Optional<T> read(String where, ConfigNode node, ValueType<T> type) {
        if (!(node instanceof Text text)) {
            problems.add(node.where(), "%s is %s, %s".formatted(where, node.kind(), type.rule()));
            return Optional.empty();
        }
        return resolve(where, text).flatMap(resolved -> {
            Optional<T> value = type.parse(resolved);
            if (value.isEmpty()) {
                // The message quotes the text, not the value of a variable, which may be a misplaced password.
                problems.add(node.where(), "%s is %s, %s".formatted(where, type.shown(text.raw()), type.rule()));
            }
            return value;
        });
    }

    Optional<String> resolve(String where, Text text) {
        try {
            return Optional.of(substitution.resolve(text.raw()));
        } catch (BadValueException e) {
            problems.add(text.where(), where + " " + e.predicate());
            return Optional.empty();
        }
    }

    /** Reads a node as an address, whose parts may be variables. */
    Optional<PartitionUri> address(String where, ConfigNode node) {
        if (!(node instanceof Text text)) {
            problems.add(node.where(), "%s is %s, must be an address".formatted(where, node.kind()));
            return Optional.empty();
        }
        try {
            return Optional.of(new PartitionUriParser(substitution).parse(text.raw()));
        } catch (BadValueException e) {
            problems.add(text.where(), where + " " + e.predicate());
            return Optional.empty();
        }
    }

    /** Returns the items of a list, or the pieces of a text with commas. */
    static List<ConfigNode> piecesOf(ConfigNode node) {
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
            problems.add(node.where(), "%s is %s, must be a mapping".formatted(childPath, node.kind()));
        }
    }

    Location where(String key) {
        return node(key).map(ConfigNode::where).orElse(mapping.where());
    }

    void problem(String key, String predicate) {
        problems.add(where(key), pathOf(key) + " " + predicate);
    }

    /** Reports that a single value breaks a rule that is not part of its type. */
    void refuse(String key, String rule) {
        if (node(key).orElse(null) instanceof Text text) {
            problem(key, "is %s, %s".formatted(Problems.quoted(text.raw()), rule));
        }
    }

    String pathOf(String key) {
        return childOf(path, key);
    }

    private static String childOf(String parent, String key) {
        return parent.isEmpty() ? key : parent + "." + key;
    }
}
