// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** An iterator that reads entries ahead. */
public interface ReadAhead {
    /** Returns whether the next entry, or the end, is known without asking a partition. */
    boolean isAtHand();
}
