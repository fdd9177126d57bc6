// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.List;

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

    public enum Kind {
        CONFIGURATION,
        INSTANCES;

        /** Returns the default: the instances, or the configuration for engines whose partitions never change. */
        public static Kind of(Engine engine) {
            return engine == Engine.INSTANCES ? INSTANCES : CONFIGURATION;
        }
    }

    /** The key is a secret. */
    @Override
    public String toString() {
        return kind.toString();
    }
}
