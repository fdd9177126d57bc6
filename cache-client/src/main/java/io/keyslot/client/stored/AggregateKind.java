// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/** The kind of an aggregate. */
public enum AggregateKind {
    HASH("hash"),
    LIST("list"),
    SET("set"),
    SORTED_SET("zset"),
    /** A number as text under a key of its own. */
    COUNTER("string");

    private final String typeName;

    AggregateKind(String typeName) {
        this.typeName = typeName;
    }

    /** Returns the type in the reply of a server's {@code TYPE} command. */
    public String typeName() {
        return typeName;
    }
}
