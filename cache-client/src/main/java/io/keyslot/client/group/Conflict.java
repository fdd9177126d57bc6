// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

/**
 * Ends a run of a transaction's work that has read what is out of date. Thrown through the work, and never further: the
 * work runs again, whatever it makes of this.
 */
final class Conflict extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Conflict() {
        super("What this transaction has read was changed by another; let this exception pass", null, false, false);
    }
}
