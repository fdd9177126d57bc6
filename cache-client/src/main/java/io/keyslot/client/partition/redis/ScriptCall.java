// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Feed;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.client.stored.StoredForm;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A script with its keys and arguments. */
record ScriptCall(Script.Source script, Script.Use use, List<EncodedKey> keys, List<byte[]> arguments) {
    /** Returns the call of a script on one key that stores no entry. */
    static ScriptCall of(Script script, EncodedKey key, Object... words) {
        List<EncodedKey> keys = List.of(key);
        return key.form() == StoredForm.RAW ? ofRaw(script, keys, words) : of(script, keys, words);
    }

    static ScriptCall of(Script script, List<EncodedKey> keys, Object... words) {
        return new ScriptCall(script.alone(), script.use(), keys, Resp.words(words));
    }

    /**
     * Returns the call of a script that stores a value; if it is an entry, its group lists it. A negative is appended to a
     * feed, too, because it may replace an entry.
     */
    static ScriptCall storing(RedisSession session, Script script, EncodedKey key, Envelope envelope, Object... words) {
        boolean isListed = envelope.isEntry() && key.isIndexed();
        return withEffects(session, script, List.of(key), isListed, words);
    }

    /**
     * Returns the call of a script that changes or removes entries, also in the index of their group and in the feed of
     * their cache. All of them have the same index or none, and the same feed or none.
     */
    static ScriptCall changing(RedisSession session, Script script, List<EncodedKey> keys, Object... words) {
        return withEffects(session, script, keys, keys.get(0).isIndexed(), words);
    }

    private static ScriptCall withEffects(
            RedisSession session, Script script, List<EncodedKey> keys, boolean areIndexed, Object... words) {
        EncodedKey first = keys.get(0);
        Feed feed = script.appendsToFeeds() ? first.feed() : null;
        if (first.form() == StoredForm.RAW) {
            return ofRaw(script, keys, words);
        }
        if (!areIndexed && feed == null) {
            return of(script, keys, words);
        }
        List<EncodedKey> allKeys = new ArrayList<>(keys);
        List<byte[]> arguments = Resp.words(words);
        if (areIndexed) {
            GroupHome home = GroupHome.of(first);
            allKeys.add(home.index());
            keys.forEach(key -> arguments.add(home.nameOf(key).bytes()));
        }
        if (feed != null) {
            arguments.addAll(session.feedWords(feed));
        }
        return new ScriptCall(script.withEffects(areIndexed, feed != null), script.use(), allKeys, arguments);
    }

    /** Calls the variant for raw values, which recognizes enveloped ones by the checksum. */
    private static ScriptCall ofRaw(Script script, List<EncodedKey> keys, Object... words) {
        List<byte[]> arguments = Resp.words(words);
        arguments.add(keys.get(0).checksumBytes());
        return new ScriptCall(script.raw(), script.use(), keys, arguments);
    }

    /** Returns the call that has a script send a command, so that it can be fenced. */
    static ScriptCall of(CommandType type, List<EncodedKey> keys, byte[][] arguments) {
        return new ScriptCall(
                Script.COMMAND.alone(), useOf(type), keys, Resp.words(type.getBytes(), Arrays.asList(arguments)));
    }

    private static Script.Use useOf(CommandType type) {
        return switch (type) {
            case GET, MGET, HGET, HGETALL, STRLEN, PTTL, TYPE, MEMORY, ZRANGE -> Script.Use.READS;
            case SET -> Script.Use.STORES;
            default -> throw new IllegalArgumentException(type + " is sent to slots that stay only");
        };
    }

    /** Returns the arguments of {@code EVALSHA}, or of {@code EVAL} with the source as name. */
    byte[][] words(String name) {
        byte[][] words = new byte[2 + keys.size() + arguments.size()][];
        words[0] = Resp.word(name);
        words[1] = Resp.word(keys.size());
        int next = 2;
        for (EncodedKey key : keys) {
            words[next++] = key.bytes();
        }
        for (byte[] argument : arguments) {
            words[next++] = argument;
        }
        return words;
    }

    /**
     * Returns this call with an atomic check of the fences of its keys' slots: {@code fence.lua} precedes the script.
     */
    ScriptCall fenced(InternalKeys ours, KeySlots slots) {
        Map<Integer, Integer> places = new LinkedHashMap<>();
        keys.forEach(key -> places.putIfAbsent(slots.slotOf(key), places.size() + 1));
        boolean notes = use != Script.Use.READS;
        List<EncodedKey> allKeys = new ArrayList<>(keys);
        List<byte[]> allArguments = new ArrayList<>(arguments);
        if (notes && places.size() > 1) {
            keys.forEach(key -> allArguments.add(Resp.word(places.getOrDefault(slots.slotOf(key), 0))));
        }
        allKeys.add(ours.fence());
        for (int slot : places.keySet()) {
            if (notes) {
                allKeys.add(ours.dirty(slot));
            }
            allArguments.add(Resp.word(slot));
        }
        allArguments.add(Resp.word(places.size()));
        allArguments.add(Resp.word(use.word()));
        return new ScriptCall(Script.fenced(script), use, allKeys, allArguments);
    }
}
