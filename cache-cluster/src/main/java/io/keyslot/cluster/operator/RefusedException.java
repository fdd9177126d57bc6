// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

/** The request was refused, and nothing was changed. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    public enum Kind {
        /** It is for another version of the map. */
        OTHER_VERSION,
        /** The current state does not allow it. */
        NOT_ALLOWED,
        /** The servers own the slots, and have their own tools. */
        OF_SERVERS
    }

    /** The current state does not allow it. */
    public RefusedException(String message) {
        this(Kind.NOT_ALLOWED, message);
    }

    public RefusedException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
