// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

/**
 * The load of a group or of a key.
 *
 * @param name its text, as the instances have it
 * @param slot in which all of it is
 * @param isGroup whether it is all that has one root: entries, aggregates and the index
 * @param load as far as it is known
 */
public record NamedLoad(String name, int slot, boolean isGroup, SlotLoad load) {
    public NamedLoad plus(NamedLoad other) {
        return new NamedLoad(name, slot, isGroup, load.plus(other.load));
    }
}
