// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.List;
import java.util.Optional;

/**
 * Where the map of the partitions is agreed on.
 *
 * @param kind what it is
 * @param hosts patterns of hosts that a map may lead to with logins, beside those of the configuration; {@code *} stands for any text
 */
public record CatalogueOptions(Kind kind, List<String> hosts) {
    public CatalogueOptions {
        hosts = List.copyOf(hosts);
    }

    /** Returns the same with other patterns of hosts. */
    public CatalogueOptions withHosts(List<String> others) {
        return new CatalogueOptions(kind, others);
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
        return new CatalogueOptions(engine == Engine.INSTANCES ? Kind.INSTANCES : Kind.CONFIGURATION, List.of());
    }

    /** Reads {@code configuration} or {@code instances}. */
    public static Optional<CatalogueOptions> parse(String text) {
        return switch (text) {
            case "configuration" -> Optional.of(new CatalogueOptions(Kind.CONFIGURATION, List.of()));
            case "instances" -> Optional.of(new CatalogueOptions(Kind.INSTANCES, List.of()));
            default -> Optional.empty();
        };
    }
}
