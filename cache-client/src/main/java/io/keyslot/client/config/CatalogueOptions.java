// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import java.util.List;
import java.util.Optional;

/**
 * Where the map of the partitions is agreed on.
 *
 * @param kind what it is
 * @param place the path of the file, or the address of the database; empty for the others
 * @param hosts patterns of hosts that a map may lead to with logins, beside those of the configuration; {@code *} stands for any text
 * @param key with which clients sign what instances keep of the map; empty for none
 */
public record CatalogueOptions(Kind kind, String place, List<String> hosts, String key) {
    public CatalogueOptions {
        hosts = List.copyOf(hosts);
    }

    public CatalogueOptions(Kind kind, String place) {
        this(kind, place, List.of(), "");
    }

    /** Returns the same with patterns of hosts, and a key. */
    public CatalogueOptions with(List<String> otherHosts, String otherKey) {
        return new CatalogueOptions(kind, place, otherHosts, otherKey);
    }

    /** What a catalogue is. */
    public enum Kind {
        CONFIGURATION,
        INSTANCES,
        FILE,
        JDBC
    }

    private static final String FILE = "file:";
    private static final String JDBC = "jdbc:";

    /**
     * Returns the catalogue that is in force if none is configured: the instances themselves. Partitions of a process are its own,
     * and what they are never changes.
     */
    public static CatalogueOptions of(Engine engine) {
        return new CatalogueOptions(engine == Engine.INSTANCES ? Kind.INSTANCES : Kind.CONFIGURATION, "");
    }

    /** Reads {@code configuration}, {@code instances}, {@code file:<path>} or {@code jdbc:<address>}. */
    public static Optional<CatalogueOptions> parse(String text) {
        if (text.equals("configuration")) {
            return Optional.of(new CatalogueOptions(Kind.CONFIGURATION, ""));
        }
        if (text.equals("instances")) {
            return Optional.of(new CatalogueOptions(Kind.INSTANCES, ""));
        }
        if (text.startsWith(FILE) && text.length() > FILE.length()) {
            return Optional.of(new CatalogueOptions(Kind.FILE, text.substring(FILE.length())));
        }
        return text.startsWith(JDBC) && text.length() > JDBC.length()
                ? Optional.of(new CatalogueOptions(Kind.JDBC, text))
                : Optional.empty();
    }

    /** An address of a database may hold a password, and a key is one. */
    @Override
    public String toString() {
        return kind == Kind.JDBC ? "jdbc:***" : kind + place;
    }
}
