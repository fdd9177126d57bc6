// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

/**
 * Which of all decided values one is, without the value.
 *
 * @param version of its text
 */
public record Stamp(RegisterGeneration generation, long sequence, long version) {
    /** Returns whether this one is later. Of two generations with one number, neither is. */
    public boolean isAfter(Stamp other) {
        return generation.number() != other.generation.number()
                ? generation.number() > other.generation.number()
                : generation.equals(other.generation) && sequence > other.sequence;
    }

    /** Returns whether two operators began a register at the same time, and this is of one, the other of the other. */
    public boolean isRivalOf(Stamp other) {
        return generation.number() == other.generation.number() && !generation.equals(other.generation);
    }
}
