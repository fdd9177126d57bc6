// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashSlot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * The keys of Keyslot's own values for a namespace: fences, heartbeats, traffic reports, feeds, and a voter's state. They are
 * no entries, and hidden from scans. Free of I/O.
 */
record InternalKeys(String namespace) {
    private static final String FENCE = "keyslot:fence:";
    private static final String DIRTY = "keyslot:dirty:";
    private static final String NOTE = "keyslot:move:";
    private static final String HEARTBEAT = "keyslot:beat:";
    private static final String REGISTER = "keyslot:map:";
    private static final String TRAFFIC = "keyslot:load:";
    private static final String FEED = "keyslot:feed:";
    private static final String FEEDS = "keyslot:feeds:";
    private static final String READERS = "keyslot:readers:";
    private static final List<String> ALL =
            List.of(FENCE, DIRTY, NOTE, HEARTBEAT, REGISTER, TRAFFIC, FEED, FEEDS, READERS);

    /** By slot of a cluster, a number that hashes to it, used as the hash tag of the heartbeat's key. */
    private static final Map<Integer, Integer> TAGS = new ConcurrentHashMap<>();

    /**
     * Returns the key of the fences: a hash with slots as fields. A value consists of the state's letter, the name of
     * the move, the number of the ownership, and a version of the slot map: {@code M m7 3 0}. The field
     * {@code coordinator m7} holds the number of the newest coordinator of that move, {@code coordinator} the highest
     * number of a move that has ended.
     */
    EncodedKey fence() {
        return EncodedKey.of(FENCE + namespace);
    }

    /** Returns the key of the set of keys written in state {@code M}. Without its empty key, the set was lost. */
    EncodedKey dirty(int slot) {
        return EncodedKey.of(DIRTY + namespace + ":" + slot);
    }

    /** Returns the key of the text on the progress of a move; if the name is empty, of the move that ended last. */
    EncodedKey note(String move) {
        return EncodedKey.of(NOTE + namespace + (move.isEmpty() ? "" : ":" + move));
    }

    /** Returns the key of the newest heartbeat. */
    EncodedKey heartbeat() {
        return EncodedKey.of(HEARTBEAT + namespace);
    }

    /** Returns the key of the newest heartbeat for the cluster primary that owns the slot. */
    EncodedKey heartbeat(int slot) {
        int tag = TAGS.computeIfAbsent(
                slot,
                wanted -> IntStream.iterate(0, number -> number + 1)
                        .filter(number -> HashSlot.of(Integer.toString(number)) == wanted)
                        .findFirst()
                        .orElseThrow());
        return EncodedKey.of(HEARTBEAT + namespace + "{" + tag + "}");
    }

    /** Returns the key of a voter's state: one hash, which is evicted as a whole. */
    EncodedKey register() {
        return EncodedKey.of(REGISTER + namespace);
    }

    static boolean isRegister(EncodedKey key) {
        return key.text().startsWith(REGISTER);
    }

    /** Returns the key of the traffic reports: one hash. */
    EncodedKey traffic() {
        return EncodedKey.of(TRAFFIC + namespace);
    }

    /** Returns the key of a feed: a stream, of one epoch. */
    static EncodedKey feed(String name, int epoch) {
        return EncodedKey.of(FEED + name + inEpoch(epoch));
    }

    /** Returns the key of the members and the lease of a group of a feed: one hash. */
    static EncodedKey readers(String name, int epoch, String group) {
        return EncodedKey.of(READERS + name + inEpoch(epoch) + ":" + group);
    }

    private static String inEpoch(int epoch) {
        return ":%08x".formatted(epoch);
    }

    /** Returns the beginnings and the common end of the keys of feeds and of their readers. */
    static List<String> aroundFeeds(int epoch) {
        return List.of(FEED, inEpoch(epoch), READERS);
    }

    /** Returns the key of the names of all feeds that are read: a set. */
    EncodedKey feeds() {
        return EncodedKey.of(FEEDS + namespace);
    }

    static boolean isOne(EncodedKey key) {
        String text = key.text();
        return ALL.stream().anyMatch(text::startsWith);
    }
}
