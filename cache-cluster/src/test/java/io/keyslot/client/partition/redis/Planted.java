// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What strangers have in a server, and whether it is still there byte for byte. Not safe for use by several threads. */
final class Planted {
    private static final String DUMPS = "local all = {} for i, key in ipairs(KEYS) do"
            + " all[i] = tostring(redis.call('DUMP', key)) .. redis.call('PTTL', key) end return all";

    /** What may be under a key. */
    enum Kind {
        TEXT,
        EMPTY,
        LONG_TEXT,
        LIKE_AN_ENVELOPE,
        ENVELOPE_OF_ANOTHER_KEY,
        HASH,
        LIST,
        SET,
        SORTED_SET,
        STREAM;

        private List<List<byte[]>> commands(byte[] key) {
            return switch (this) {
                case TEXT -> List.of(words("SET", key, "x"));
                case EMPTY -> List.of(words("SET", key, ""));
                case LONG_TEXT -> List.of(words("SET", key, "{\"name\":\"Ada Lovelace\",\"born\":1815}"));
                case LIKE_AN_ENVELOPE -> List.of(words("SET", key, "\1" + "\0".repeat(20) + "\1 and more"));
                case ENVELOPE_OF_ANOTHER_KEY ->
                    List.of(List.of(
                            bytes("SET"),
                            key,
                            Envelope.of(4_711, bytes("value")).toBytes(EncodedKey.of("of:another"), 1)));
                case HASH -> List.of(words("HSET", key, "field", "value"));
                case LIST -> List.of(words("RPUSH", key, "one", "two"));
                case SET -> List.of(words("SADD", key, "one", "two"));
                case SORTED_SET -> List.of(words("ZADD", key, "0", "order::1", "1", "two"));
                case STREAM -> List.of(words("XADD", key, "1-1", "field", "value"));
            };
        }
    }

    private final ServerDialogue server;
    private final Map<String, byte[]> keys = new LinkedHashMap<>();
    private final Map<String, Object> before = new LinkedHashMap<>();

    Planted(ServerDialogue server) {
        this.server = server;
    }

    void plant(String key, Kind kind) throws IOException {
        for (List<byte[]> command : kind.commands(bytes(key))) {
            Object answer = server.ask(command);
            if (answer instanceof ServerDialogue.Refused refused) {
                throw new AssertionError(refused.text());
            }
        }
        keys.put(key, bytes(key));
        before.put(key, dump(List.of(bytes(key))).get(0));
    }

    /** Removes all of it. */
    void pull() throws IOException {
        for (byte[] key : keys.values()) {
            server.ask(List.of(bytes("DEL"), key));
        }
        keys.clear();
        before.clear();
    }

    /** Returns the names under which there is something else now, or nothing. */
    Set<String> changed() throws IOException {
        List<Object> now = dump(List.copyOf(keys.values()));
        Set<String> changed = new TreeSet<>();
        int i = 0;
        for (String key : keys.keySet()) {
            if (!now.get(i).equals(before.get(key))) {
                changed.add(key);
            }
            i++;
        }
        return changed;
    }

    private List<Object> dump(List<byte[]> of) throws IOException {
        List<byte[]> words = new ArrayList<>(List.of(bytes("EVAL"), bytes(DUMPS), bytes("" + of.size())));
        words.addAll(of);
        Object answer = server.ask(words);
        if (!(answer instanceof List<?> list)) {
            throw new AssertionError("" + answer);
        }
        List<Object> dumps = new ArrayList<>();
        for (@Nullable Object one : list) {
            dumps.add("" + one);
        }
        return dumps;
    }

    private static List<byte[]> words(String command, byte[] key, String... others) {
        List<byte[]> words = new ArrayList<>(List.of(bytes(command), key));
        for (String other : others) {
            words.add(other.getBytes(StandardCharsets.ISO_8859_1));
        }
        return words;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
