// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

/** A value that was decided, in its generation. What was decided stays so, whoever forgets it. */
public record DecidedValue(RegisterGeneration generation, RegisterValue value) {
    public Stamp stamp() {
        return new Stamp(generation, value.sequence(), value.version());
    }
}
