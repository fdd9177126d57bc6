// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A piece of the configuration as it was written, before it means anything. Immutable. */
public sealed interface ConfigNode {
    /** Returns where it was written: at its key, if it has one. */
    Location where();

    /** Returns what a message calls it. */
    String kind();

    /** A single value; variables are not replaced yet. */
    record Text(Location where, String raw) implements ConfigNode {
        @Override
        public String kind() {
            return "a single value";
        }

        /** Returns the place only: the text may hold a password. */
        @Override
        public String toString() {
            return kind() + " at " + where;
        }
    }

    /** A key with nothing behind it. */
    record Empty(Location where) implements ConfigNode {
        @Override
        public String kind() {
            return "empty";
        }
    }

    /** A list. */
    record Items(Location where, List<ConfigNode> items) implements ConfigNode {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String kind() {
            return "a list";
        }
    }

    /** Keys and what stands behind them, in the order in which they were written. */
    record Mapping(Location where, Map<String, ConfigNode> entries) implements ConfigNode {
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** Returns this mapping with another node behind the key. */
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
}
