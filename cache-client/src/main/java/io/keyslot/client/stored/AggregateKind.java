// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

/** What an aggregate is. */
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

    /** Returns what the {@code TYPE} command of a server calls it. */
    public String typeName() {
        return typeName;
    }
}
