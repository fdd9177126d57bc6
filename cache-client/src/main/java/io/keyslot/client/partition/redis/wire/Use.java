// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

/** The kind of access of a script to its keys, for the fence check. */
public enum Use {
    READS("read"),
    /** May need memory, so that a full server refuses it. */
    STORES("write"),
    /** May change a key but needs no memory, so that a full server executes it. */
    FREES("free");

    private final String word;

    Use(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
