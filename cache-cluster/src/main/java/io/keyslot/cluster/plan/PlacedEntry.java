// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import org.jspecify.annotations.Nullable;

/** An entry of a placement: an id of its list, or one of its ranges. */
public sealed interface PlacedEntry {
    String DOTS = "..";

    /** Parses {@code acme}, {@code 0..100}, {@code ..100} or {@code 100..}. */
    static PlacedEntry parse(String text) {
        int dots = text.indexOf(DOTS);
        if (dots < 0) {
            return new Id(text);
        }
        return new Range(bound(text.substring(0, dots)), bound(text.substring(dots + DOTS.length())));
    }

    private static @Nullable String bound(String text) {
        return text.isEmpty() ? null : text;
    }

    record Id(String id) implements PlacedEntry {
        @Override
        public String toString() {
            return id;
        }
    }

    /** A range with an exclusive upper bound; null for no bound. */
    record Range(@Nullable String low, @Nullable String high) implements PlacedEntry {
        @Override
        public String toString() {
            return (low == null ? "" : low) + DOTS + (high == null ? "" : high);
        }
    }
}
