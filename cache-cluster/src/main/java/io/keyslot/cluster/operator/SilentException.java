// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

/** A partition has not answered, or not with what was asked for. The message says which, and why. */
public final class SilentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SilentException(String message) {
        super(message);
    }
}
