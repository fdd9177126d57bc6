// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

/** A decided value with its generation. It stays decided even if voters lose their state. */
public record DecidedValue(Generation generation, RegisterValue value) {
    public Stamp stamp() {
        return new Stamp(generation, value.sequence(), value.version());
    }
}
