// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.cache;

import io.keyslot.client.entry.Answer;

/** The result of comparing an entry with the expected value of a caller, by {@code equals} and never by bytes. */
enum ValueComparison {
    EQUAL,
    OTHER,
    ABSENT;

    static <V> ValueComparison of(Answer<V> current, V expected) {
        if (!current.isPresent()) {
            return ABSENT;
        }
        return expected.equals(current.value()) ? EQUAL : OTHER;
    }
}
