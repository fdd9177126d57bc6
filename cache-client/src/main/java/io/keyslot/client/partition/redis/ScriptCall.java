// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.GroupHome;
import java.util.ArrayList;
import java.util.List;

/** A script with what it is called with. */
record ScriptCall(Script script, List<EncodedKey> keys, List<byte[]> arguments) {
    /** Returns the call of a script about one key. */
    static ScriptCall of(Script script, EncodedKey key, List<byte[]> arguments) {
        return new ScriptCall(script, List.of(key), arguments);
    }

    /** Returns the call of a script that stores something, in the form that lists it too if it is to be listed. */
    static ScriptCall storing(Script alone, Script listing, EncodedKey key, Envelope envelope, List<byte[]> arguments) {
        if (!key.isIndexed() || !envelope.isEntry()) {
            return of(alone, key, arguments);
        }
        GroupHome home = GroupHome.of(key);
        List<byte[]> all = new ArrayList<>(arguments);
        all.add(home.nameOf(key).bytes());
        return new ScriptCall(listing, List.of(key, home.index()), all);
    }
}
