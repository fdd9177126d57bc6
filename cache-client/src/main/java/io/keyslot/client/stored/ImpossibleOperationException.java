// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/** Thrown if the present content does not allow an operation. Nothing was changed. */
public final class ImpossibleOperationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ImpossibleOperationException(String message) {
        super(message);
    }
}
