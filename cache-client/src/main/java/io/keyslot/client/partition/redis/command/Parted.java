// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.stored.EncodedKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Merges the results of several commands. Free of I/O. */
final class Parted {
    private Parted() {}

    static <T> List<T> inOrder(List<EncodedKey> keys, List<List<EncodedKey>> parts, List<List<T>> answers) {
        Map<EncodedKey, T> byKey = new HashMap<>();
        for (int part = 0; part < parts.size(); part++) {
            for (int i = 0; i < parts.get(part).size(); i++) {
                byKey.put(parts.get(part).get(i), answers.get(part).get(i));
            }
        }
        return keys.stream().map(byKey::get).toList();
    }
}
