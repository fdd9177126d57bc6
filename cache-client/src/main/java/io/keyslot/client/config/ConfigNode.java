// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node of the configuration as written, not yet interpreted. Immutable. */
public sealed interface ConfigNode {
    /** Returns the location of the node: that of its key, if it has one. */
    Location where();

    String kind();

    /** A single value; variables are not replaced yet. */
    record Text(Location where, String raw) implements ConfigNode {
        @Override
        public String kind() {
            return "a single value";
        }

        /** Returns the location only: the text may contain a password. */
        @Override
        public String toString() {
            return kind() + " at " + where;
        }
    }

    record Empty(Location where) implements ConfigNode {
        @Override
        public String kind() {
            return "empty";
        }
    }

    record Items(Location where, List<ConfigNode> items) implements ConfigNode {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String kind() {
            return "a list";
        }
    }

    /** Keys and their nodes, in the order of the file. */
    record Mapping(Location where, Map<String, ConfigNode> entries) implements ConfigNode {
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        public Mapping with(String key, ConfigNode node) {
            Map<String, ConfigNode> changed = new LinkedHashMap<>(entries);
            changed.put(key, node);
            return new Mapping(where, changed);
        }

        @Override
        public String kind() {
            return "a mapping";
        }
    }

    /**
     * A location in the configuration: a place in a file, or a property.
     *
     * @param source the file's name, or {@code property} and its key
     * @param line from 1; 0 for a property
     * @param column from 1; 0 for a property
     */
    public record Location(String source, int line, int column) implements Comparable<Location> {
        private static final Comparator<Location> FILES_FIRST = Comparator.comparing(Location::isProperty)
                .thenComparing(Location::source)
                .thenComparingInt(Location::line)
                .thenComparingInt(Location::column);

        public static Location ofProperty(String key) {
            return new Location("property " + key, 0, 0);
        }

        private boolean isProperty() {
            return line == 0;
        }

        @Override
        public int compareTo(Location other) {
            return FILES_FIRST.compare(this, other);
        }

        @Override
        public String toString() {
            return isProperty() ? source : source + ":" + line + ":" + column;
        }
    }
}
