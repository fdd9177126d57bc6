// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

/** The known load of a key, or of a group with everything that has one root: entries, aggregates and the index. */
public record NamedLoad(String name, int slot, boolean isGroup, SlotLoad load) {
    public NamedLoad plus(NamedLoad other) {
        return new NamedLoad(name, slot, isGroup, load.plus(other.load));
    }
}
