// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * All that a server has stored, with when it expires, to be compared and to be brought back.
 *
 * @param keys for each key what is under it
 */
record StoredState(Map<String, Stored> keys) {
    /**
     * @param digest of the value, whatever its encoding
     * @param dump what {@code RESTORE} needs
     * @param expiresAt -1 for never
     */
    record Stored(String digest, String dump, long expiresAt) {
        boolean isLike(Stored other, long mostApartMillis) {
            return digest.equals(other.digest)
                    && (expiresAt < 0) == (other.expiresAt < 0)
                    && Math.abs(expiresAt - other.expiresAt) <= mostApartMillis;
        }

        @Override
        public String toString() {
            return digest.substring(0, Math.min(8, digest.length())) + (expiresAt < 0 ? "" : " until " + expiresAt);
        }
    }

    static StoredState of(ServerDialogue server) throws IOException {
        Map<String, Stored> keys = new TreeMap<>();
        for (Object key : (List<?>) answer(server, "KEYS", "*")) {
            String name = (String) key;
            Object digest = ((List<?>) answer(server, "DEBUG", "DIGEST-VALUE", name)).get(0);
            Object dump = answer(server, "DUMP", name);
            long expiresAt = (Long) answer(server, "PEXPIRETIME", name);
            keys.put(name, new Stored(String.valueOf(digest), (String) dump, expiresAt));
        }
        return new StoredState(keys);
    }

    /** Makes the server have this and nothing else. */
    void restore(ServerDialogue server) throws IOException {
        server.ask("FLUSHALL");
        for (Map.Entry<String, Stored> entry : keys.entrySet()) {
            Stored stored = entry.getValue();
            String expiresAt = Long.toString(Math.max(stored.expiresAt(), 0));
            server.ask(words("RESTORE", entry.getKey(), expiresAt, stored.dump(), "ABSTTL"));
        }
    }

    /** Returns what is another one when anything is another: without the values, it takes little. */
    static Object signature(ServerDialogue server) throws IOException {
        String expiries = "local all = redis.call('KEYS', '*') table.sort(all) local at = {}"
                + " for i, key in ipairs(all) do at[i] = key .. ' ' .. redis.call('PEXPIRETIME', key) end return at";
        return List.of(
                String.valueOf(server.ask("DEBUG", "DIGEST")), String.valueOf(server.ask("EVAL", expiries, "0")));
    }

    private static Object answer(ServerDialogue server, String... words) throws IOException {
        return Objects.requireNonNull(server.ask(words(words)));
    }

    private static List<byte[]> words(String... words) {
        return List.of(words).stream()
                .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }

    boolean isLike(StoredState other) {
        return isLike(other, 0);
    }

    /** Returns whether the same is stored, and expires at about the same time. */
    boolean isLike(StoredState other, long mostApartMillis) {
        return keys.keySet().equals(other.keys.keySet())
                && keys.entrySet().stream()
                        .allMatch(entry -> Objects.requireNonNull(other.keys.get(entry.getKey()))
                                .isLike(entry.getValue(), mostApartMillis));
    }
}
