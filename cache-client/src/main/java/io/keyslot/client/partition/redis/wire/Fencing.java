// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Adds an atomic fence check: {@code fence.lua} precedes a script, and a command becomes one. Free of I/O. */
record Fencing(FenceKeys keys) {
    ScriptCall fenced(ScriptCall call, KeySlots slots) {
        Map<Integer, Integer> places = new LinkedHashMap<>();
        call.keys().forEach(key -> places.putIfAbsent(slots.slotOf(key), places.size() + 1));
        boolean notes = call.use() != Use.READS;
        List<EncodedKey> allKeys = new ArrayList<>(call.keys());
        List<byte[]> allArguments = new ArrayList<>(call.arguments());
        if (notes && places.size() > 1) {
            call.keys().forEach(key -> allArguments.add(Requests.text(places.getOrDefault(slots.slotOf(key), 0))));
        }
        allKeys.add(keys.fence());
        for (int slot : places.keySet()) {
            if (notes) {
                allKeys.add(keys.dirty(slot));
            }
            allArguments.add(Requests.text(slot));
        }
        allArguments.add(Requests.text(places.size()));
        allArguments.add(Requests.text(call.use().word()));
        return new ScriptCall(Script.fenced(call.script()), call.use(), allKeys, allArguments);
    }

    ScriptCall fenced(CommandType type, List<EncodedKey> of, byte[][] arguments, KeySlots slots) {
        List<byte[]> words = new ArrayList<>(arguments.length + 1);
        words.add(type.getBytes());
        words.addAll(Arrays.asList(arguments));
        return fenced(new ScriptCall(Script.COMMAND.alone(), useOf(type), of, words), slots);
    }

    private static Use useOf(CommandType type) {
        return switch (type) {
            case GET, MGET, HGET, HGETALL, STRLEN, PTTL, TYPE, MEMORY, ZRANGE -> Use.READS;
            case SET, MSET -> Use.STORES;
            default -> throw new IllegalArgumentException(type + " is sent to slots that stay only");
        };
    }
}
