// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import java.util.regex.Pattern;

/**
 * The name of a partition, unique in a slot map.
 *
 * @param name 1 to 64 letters, digits, dots, dashes and underscores
 */
public record PartitionId(String name) implements Comparable<PartitionId> {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public PartitionId {
        if (!ALLOWED.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Partition name '%s': must be 1 to 64 letters, digits, '.', '-' or '_'".formatted(name));
        }
    }

    @Override
    public int compareTo(PartitionId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
