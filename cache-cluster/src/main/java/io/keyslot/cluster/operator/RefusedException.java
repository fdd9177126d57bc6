// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

/** What was asked for is not done, and nothing was changed. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** Why. */
    public enum Kind {
        /** It is for another version of the map. */
        OTHER_VERSION,
        /** What is there does not allow it. */
        NOT_ALLOWED,
        /** The servers own the slots, and have tools of their own. */
        OF_SERVERS
    }

    public RefusedException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
