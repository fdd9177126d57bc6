// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.Locale;

/** Thrown if stored bytes are not a value of their key. Has no stack trace, as it is an answer. */
public final class UnreadableValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why the bytes of an entry were not served, as meters count it. */
    public enum Reason {
        /** The codec cannot read them. */
        UNDECODABLE,
        /** They are not encrypted, in a cache whose values are. */
        NOT_ENCRYPTED,
        /** They are encrypted by a key that this process does not have. */
        UNKNOWN_KEY,
        /** They were changed, or encrypted under another stored key. */
        NOT_AUTHENTIC
    }

    public UnreadableValueException(Reason reason) {
        super(reason.name().toLowerCase(Locale.ROOT), null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
