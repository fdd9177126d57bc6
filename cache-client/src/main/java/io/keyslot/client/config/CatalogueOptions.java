// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.List;
import java.util.Optional;

/**
 * Where the map of the partitions is agreed on.
 *
 * @param kind what it is
 * @param hosts patterns of hosts that a map may lead to with logins, beside those of the configuration; {@code *} stands for any text
 * @param key with which clients sign what instances keep of the map; empty for none
 */
public record CatalogueOptions(Kind kind, List<String> hosts, String key) {
    public CatalogueOptions {
        hosts = List.copyOf(hosts);
    }

    /** Returns the same with patterns of hosts, and a key. */
    public CatalogueOptions with(List<String> otherHosts, String otherKey) {
        return new CatalogueOptions(kind, otherHosts, otherKey);
    }

    /** What a catalogue is. */
    public enum Kind {
        CONFIGURATION,
        INSTANCES
    }

    /**
     * Returns the catalogue that is in force if none is configured: the instances themselves. Partitions of a process are its own,
     * and what they are never changes.
     */
    public static CatalogueOptions of(Engine engine) {
        return new CatalogueOptions(engine == Engine.INSTANCES ? Kind.INSTANCES : Kind.CONFIGURATION, List.of(), "");
    }

    /** Reads {@code configuration} or {@code instances}. */
    public static Optional<CatalogueOptions> parse(String text) {
        return switch (text) {
            case "configuration" -> Optional.of(new CatalogueOptions(Kind.CONFIGURATION, List.of(), ""));
            case "instances" -> Optional.of(new CatalogueOptions(Kind.INSTANCES, List.of(), ""));
            default -> Optional.empty();
        };
    }

    /** The key is a secret. */
    @Override
    public String toString() {
        return kind.toString();
    }
}
