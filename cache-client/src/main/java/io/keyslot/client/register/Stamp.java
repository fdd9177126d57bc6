// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

/** Identifies a decided value, without its content; {@code version} is that of its text. */
public record Stamp(Generation generation, long sequence, long version) {
    /** Returns whether this one is later; false for two generations with the same number. */
    public boolean isAfter(Stamp other) {
        return generation.number() != other.generation.number()
                ? generation.number() > other.generation.number()
                : generation.equals(other.generation) && sequence > other.sequence;
    }

    /** Returns whether the values come from two generations that operators started at the same time. */
    public boolean isRivalOf(Stamp other) {
        return generation.number() == other.generation.number() && !generation.equals(other.generation);
    }
}
