// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
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
public record ScriptCall(Script.Source script, Script.Use use, List<EncodedKey> keys, List<byte[]> arguments) {
    /** Returns the call of a script on one key that stores no entry. */
    public static ScriptCall of(Script script, EncodedKey key, List<byte[]> arguments) {
        return key.form() == StoredForm.RAW
                ? ofRaw(script, List.of(key), arguments)
                : of(script, List.of(key), arguments);
    }

    public static ScriptCall of(Script script, List<EncodedKey> keys, List<byte[]> arguments) {
        return new ScriptCall(script.alone(), script.use(), keys, arguments);
    }

    /** Returns the call of a script that stores a value, and lists it in the index of its group if it is an entry. */
    public static ScriptCall storing(Script script, EncodedKey key, Envelope envelope, List<byte[]> arguments) {
        return envelope.isEntry() ? changing(script, key, arguments) : of(script, key, arguments);
    }

    /** Returns the call of a script that changes or removes an entry, also in the index of its group. */
    public static ScriptCall changing(Script script, EncodedKey key, List<byte[]> arguments) {
        return withIndex(script, List.of(key), arguments);
    }

    /** Returns the call that removes our values under keys that are in the same index or in none. */
    public static ScriptCall unlinking(List<EncodedKey> keys, List<byte[]> headers) {
        return withIndex(Script.UNLINK, keys, headers);
    }

    /** Calls the variant for raw values, which recognizes enveloped ones by the checksum. */
    private static ScriptCall ofRaw(Script script, List<EncodedKey> keys, List<byte[]> arguments) {
        List<byte[]> allArguments = new ArrayList<>(arguments);
        allArguments.add(keys.get(0).checksumBytes());
        return new ScriptCall(script.raw(), script.use(), keys, allArguments);
    }

    private static ScriptCall withIndex(Script script, List<EncodedKey> keys, List<byte[]> arguments) {
        if (keys.get(0).form() == StoredForm.RAW) {
            return ofRaw(script, keys, arguments);
        }
        if (!keys.get(0).isIndexed()) {
            return of(script, keys, arguments);
        }
        GroupHome home = GroupHome.of(keys.get(0));
        List<EncodedKey> allKeys = new ArrayList<>(keys);
        allKeys.add(home.index());
        List<byte[]> allArguments = new ArrayList<>(arguments);
        keys.forEach(key -> allArguments.add(home.nameOf(key).bytes()));
        return new ScriptCall(script.indexed(), script.use(), allKeys, allArguments);
    }

    /** Returns the call that has a script send a command, so that it can be fenced. */
    static ScriptCall of(CommandType type, List<EncodedKey> keys, byte[][] arguments) {
        List<byte[]> words = new ArrayList<>(arguments.length + 1);
        words.add(type.getBytes());
        words.addAll(Arrays.asList(arguments));
        return new ScriptCall(Script.COMMAND.alone(), useOf(type), keys, words);
    }

    private static Script.Use useOf(CommandType type) {
        return switch (type) {
            case GET, MGET, HGET, HGETALL, STRLEN, PTTL, TYPE, MEMORY, ZRANGE -> Script.Use.READS;
            case SET, MSET -> Script.Use.STORES;
            default -> throw new IllegalArgumentException(type + " is sent to slots that stay only");
        };
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
            keys.forEach(key -> allArguments.add(Requests.text(places.getOrDefault(slots.slotOf(key), 0))));
        }
        allKeys.add(ours.fence());
        for (int slot : places.keySet()) {
            if (notes) {
                allKeys.add(ours.dirty(slot));
            }
            allArguments.add(Requests.text(slot));
        }
        allArguments.add(Requests.text(places.size()));
        allArguments.add(Requests.text(use.word()));
        return new ScriptCall(Script.fenced(script), use, allKeys, allArguments);
    }
}
