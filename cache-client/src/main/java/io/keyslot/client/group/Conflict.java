// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

/** Thrown in a transaction's work that has read outdated data; the work is repeated even if it catches this. */
final class Conflict extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Conflict() {
        super("What this transaction has read was changed by another; let this exception pass", null, false, false);
    }
}
