// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.slot.HashTag;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The keys under which parts of a value are stored while they are not the entry: in the slot of the entry, and always
 * with a time to live. Pure.
 */
public final class PartsKey {
    /** How long parts wait for the rest of them: longer than any command is under way. */
    public static final int TIME_TO_LIVE_MILLIS = 60_000;

    /** The same as an argument of a command. */
    static final byte[] TIME_TO_LIVE = Requests.text(Integer.toString(TIME_TO_LIVE_MILLIS));

    private static final String PREFIX = "keyslot:parts:";

    /** One character for each byte, so that any key comes out as it went in. */
    private static final Charset BYTES = StandardCharsets.ISO_8859_1;

    private PartsKey() {}

    /** Returns the key of the parts of a write, until all of them are there. */
    public static EncodedKey ofWrite(EncodedKey entry, long stamp) {
        return of(entry, HexFormat.of().toHexDigits(stamp));
    }

    /** Returns the key of the parts of a removed entry, until they are read. */
    static EncodedKey ofTaken(EncodedKey entry, String taker) {
        return of(entry, "taken:" + taker);
    }

    /** Returns whether the key is one of these. */
    public static boolean isOne(EncodedKey key) {
        return new String(key.bytes(), BYTES).startsWith(PREFIX);
    }

    /**
     * The tag of the entry's key leads to its slot, unless the key has none and a brace in it ends ours too early. No key
     * of a cache is like that. For others, one of the first 110,000 numbers leads there.
     */
    private static EncodedKey of(EncodedKey entry, String name) {
        EncodedKey key = tagged(HashTag.of(new String(entry.bytes(), BYTES)), name);
        for (int number = 0; key.slot() != entry.slot(); number++) {
            key = tagged(Integer.toString(number), name);
        }
        return key;
    }

    private static EncodedKey tagged(String tag, String name) {
        return new EncodedKey((PREFIX + "{" + tag + "}:" + name).getBytes(BYTES));
    }
}
