// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/** Says that an operation cannot be done to what is there. Nothing was changed. */
public final class ImpossibleOperationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param message without content */
    ImpossibleOperationException(String message) {
        super(message);
    }
}
