// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.entry;

/** An iterator that reads entries ahead. */
public interface ReadAhead {
    /** Returns whether it knows the next entry, or that there is none, without asking a partition. */
    boolean isAtHand();
}
