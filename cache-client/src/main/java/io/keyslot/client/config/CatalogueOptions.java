// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.List;
import java.util.Optional;

/**
 * Where the clients agree on the slot map.
 *
 * @param kind the kind of the catalogue
 * @param hosts patterns of further hosts to which this client may log in if a map names them; {@code *} is any text
 * @param key the secret key that signs the map on the instances; empty for none
 */
public record CatalogueOptions(Kind kind, List<String> hosts, String key) {
    public CatalogueOptions {
        hosts = List.copyOf(hosts);
    }

    public CatalogueOptions with(List<String> otherHosts, String otherKey) {
        return new CatalogueOptions(kind, otherHosts, otherKey);
    }

    public enum Kind {
        CONFIGURATION,
        INSTANCES
    }

    /** Returns the default catalogue: the instances, or the configuration for engines whose partitions never change. */
    public static CatalogueOptions of(Engine engine) {
        return new CatalogueOptions(engine == Engine.INSTANCES ? Kind.INSTANCES : Kind.CONFIGURATION, List.of(), "");
    }

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
