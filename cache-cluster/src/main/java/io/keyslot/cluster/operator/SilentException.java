// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

/** A partition has not answered, or with an unexpected reply. The message names it and the reason. */
public final class SilentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SilentException(String message) {
        super(message);
    }
}
