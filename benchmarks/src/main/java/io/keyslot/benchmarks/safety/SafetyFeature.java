// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.safety;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What Keyslot does for safety beyond handing bytes over. The directory of its name in {@code benchmarks/src/safety} has the
 * methods of a client without it.
 */
public enum SafetyFeature {
    /** The header before each value, the value's checksum and type, and their checks. */
    ENVELOPE,
    /** What keeps a command back that was routed by an old slot map. */
    GATE,
    /** What a partition learns of its health from each reply. */
    STATES,
    /** The time that a call has left, and the timers of its commands. */
    DEADLINES,
    /** Meters in a registry, and JCache's statistics. */
    METRICS;

    /** Returns the name of the directory, and in tables. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what builds are without: each feature by itself, and at last all of them. */
    public static List<List<SafetyFeature>> builds() {
        List<SafetyFeature> all = List.of(values());
        return Stream.concat(all.stream().map(List::of), Stream.of(all)).toList();
    }
}
