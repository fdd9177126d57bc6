// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config.read;

import java.util.Comparator;

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

    static Location inFile(String name, int line, int column) {
        return new Location(name, line, column);
    }

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
