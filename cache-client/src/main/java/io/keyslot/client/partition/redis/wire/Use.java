// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

/** What a script does with its keys, as far as a fence has to know. */
public enum Use {
    /** It changes nothing. */
    READS("read"),
    /** It may store something: a full server refuses it. */
    STORES("write"),
    /** It may change something, and needs no memory for it: a full server does it. */
    FREES("free");

    private final String word;

    Use(String word) {
        this.word = word;
    }

    /** Returns what {@code fence.lua} calls it. */
    String word() {
        return word;
    }
}
