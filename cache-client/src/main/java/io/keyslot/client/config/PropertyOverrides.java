// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.ConfigNode.Empty;
import io.keyslot.client.config.ConfigNode.Location;
import io.keyslot.client.config.ConfigNode.Mapping;
import io.keyslot.client.config.ConfigNode.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Overrides settings of the file by the manager's Properties. A property's key is the path of a setting. */
final class PropertyOverrides {
    private static final String PREFIX = "keyslot.";

    static final String CONFIG = PREFIX + "config";

    /** Properties whose values are objects, which the client reads itself. */
    static final Set<String> OBJECTS = Set.of(
            PREFIX + "meterRegistry",
            PREFIX + "observationRegistry",
            ConfigurationLoader.SETTINGS,
            ConfigurationLoader.TLS,
            ConfigurationLoader.CREDENTIALS,
            ConfigurationLoader.ALLOW);

    private static final String PARTITIONS = "partitions";
    private static final String CACHES = "caches";

    private final Problems problems;
    private final Map<String, Object> values = new TreeMap<>();
    private final @Nullable Mapping given;

    PropertyOverrides(Properties properties, Problems problems) {
        this.problems = problems;
        properties.forEach((key, value) -> {
            if (key instanceof String name) {
                values.put(name, value);
            }
        });
        // Default values of Properties are not among its entries.
        properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
        OBJECTS.forEach(key -> {
            if (values.get(key) instanceof String) {
                problems.add(Location.ofProperty(key), "is text, must be the object itself, put into the Properties");
            }
        });
        given = values.get(ConfigurationLoader.SETTINGS) instanceof Mapping tree ? tree : null;
        values.keySet().removeIf(key -> !key.startsWith(PREFIX) || OBJECTS.contains(key));
        // A text names the file and was used already; any other object is a problem.
        values.computeIfPresent(CONFIG, (key, value) -> value instanceof String ? null : value);
    }

    List<String> keys() {
        List<String> keys = new ArrayList<>(values.keySet());
        if (given != null && !given.entries().isEmpty()) {
            keys.add(0, "properties " + PREFIX + "*");
        }
        return List.copyOf(keys);
    }

    Mapping layOver(Mapping root) {
        Mapping changed = given == null ? root : merged(root, given);
        for (Map.Entry<String, Object> property : values.entrySet()) {
            Location where = Location.ofProperty(property.getKey());
            List<String> path = pathOf(property.getKey().substring(PREFIX.length()));
            if (path.size() > YamlDocument.MOST_DEPTH) {
                problems.add(where, YamlDocument.TOO_DEEP);
            } else if (property.getValue() instanceof String text && text.length() > YamlDocument.LONGEST_TEXT) {
                problems.add(where, YamlDocument.TOO_LONG);
            } else if (property.getValue() instanceof String text) {
                changed = layOver(changed, path, new Text(where, text));
            } else {
                problems.add(
                        where,
                        "is an object of %s, must be text"
                                .formatted(property.getValue().getClass().getName()));
            }
        }
        return changed;
    }

    /** Merges two trees: mappings are joined, any other node replaces the one below. */
    private static Mapping merged(Mapping below, Mapping above) {
        Mapping joined = below;
        for (Map.Entry<String, ConfigNode> entry : above.entries().entrySet()) {
            ConfigNode there = joined.entries().get(entry.getKey());
            ConfigNode node = there instanceof Mapping lower && entry.getValue() instanceof Mapping upper
                    ? merged(lower, upper)
                    : entry.getValue();
            boolean saysNothing = node instanceof Empty && there != null;
            joined = saysNothing ? joined : joined.with(entry.getKey(), node);
        }
        return joined;
    }

    private Mapping layOver(Mapping mapping, List<String> path, Text value) {
        String key = path.get(0);
        if (path.size() == 1) {
            return mapping.with(key, value);
        }
        ConfigNode below = mapping.entries().get(key);
        if (below == null || below instanceof Empty) {
            below = new Mapping(value.where(), Map.of());
        }
        if (below instanceof Mapping child) {
            return mapping.with(key, layOver(child, path.subList(1, path.size()), value));
        }
        problems.add(
                value.where(),
                "%s is %s there (%s) and has no settings below it: write it as a mapping, or override it as a whole"
                        .formatted(Problems.key(key), below.kind(), below.where()));
        return mapping;
    }

    /** Splits a path. Names of caches and partitions may contain dots, so the known settings at the end decide. */
    private static List<String> pathOf(String dotted) {
        String[] ends = dotted.split("\\.", 2);
        return ends.length == 2 && (ends[0].equals(CACHES) || ends[0].equals(PARTITIONS))
                ? ofNamed(ends[0], ends[1])
                : Arrays.asList(dotted.split("\\.", -1));
    }

    private static List<String> ofNamed(String kind, String rest) {
        int dot = rest.lastIndexOf('.');
        boolean hasSetting = kind.equals(CACHES)
                ? dot >= 0
                : dot > 0 && Setting.keysIn("partitions.<name>").contains(rest.substring(dot + 1));
        return inSection(kind, rest)
                .orElseGet(() -> hasSetting
                        ? List.of(kind, rest.substring(0, dot), rest.substring(dot + 1))
                        : List.of(kind, rest));
    }

    /** Returns the path of a setting in a section below a name; empty if there is no such section. */
    private static Optional<List<String>> inSection(String kind, String rest) {
        int dot = rest.lastIndexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        String name = rest.substring(0, dot);
        String key = rest.substring(dot + 1);
        String pattern = kind + ".<name>";
        for (String section : Setting.sectionsIn(pattern)) {
            int before = name.length() - section.length() - 1;
            if (before > 0 && name.endsWith("." + section) && isIn(pattern, section, key)) {
                List<String> path = new ArrayList<>(List.of(kind, name.substring(0, before)));
                path.addAll(Arrays.asList(section.split("\\.", -1)));
                path.add(key);
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }

    /** Returns whether the key belongs to the section, and not to a name that ends like the section. */
    private static boolean isIn(String pattern, String section, String key) {
        Set<String> inside = Setting.keysIn(pattern + "." + section);
        return inside.contains(key)
                || (!inside.isEmpty() && !Setting.keysIn(pattern).contains(key));
    }
}
