// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import io.keyslot.client.partition.EncodedKey;
import io.keyslot.client.partition.Envelope;
import io.keyslot.client.partition.GroupHome;
import java.util.ArrayList;
import java.util.List;

/** A script with what it is called with. */
public record ScriptCall(Script script, List<EncodedKey> keys, List<byte[]> arguments) {
    /** Returns the call of a script about one key. */
    public static ScriptCall of(Script script, EncodedKey key, List<byte[]> arguments) {
        return new ScriptCall(script, List.of(key), arguments);
    }

    /** Returns the call of a script that removes something, which takes its name out of an index too if it may be listed. */
    public static ScriptCall removing(
            Script script, EncodedKey key, List<EncodedKey> otherKeys, List<byte[]> arguments) {
        List<EncodedKey> keys = new ArrayList<>(List.of(key));
        keys.addAll(otherKeys);
        List<byte[]> all = new ArrayList<>(arguments);
        if (key.isIndexed()) {
            GroupHome home = GroupHome.of(key);
            keys.add(home.index());
            all.add(home.nameOf(key).bytes());
        }
        return new ScriptCall(script, keys, all);
    }

    /** Returns the call of a script that lets an entry expire, and its index too if it may be listed. */
    public static ScriptCall expiring(Script script, EncodedKey key, List<byte[]> arguments) {
        return key.isIndexed()
                ? new ScriptCall(script, List.of(key, GroupHome.of(key).index()), arguments)
                : of(script, key, arguments);
    }

    /** Returns the call that removes whatever is ours under keys of one group, all of which may be listed. */
    public static ScriptCall unlinking(GroupHome home, List<EncodedKey> keys, List<byte[]> headers) {
        List<EncodedKey> all = new ArrayList<>(List.of(home.index()));
        all.addAll(keys);
        List<byte[]> arguments = new ArrayList<>(headers);
        keys.forEach(key -> arguments.add(home.nameOf(key).bytes()));
        return new ScriptCall(Script.UNLINK_LISTED, all, arguments);
    }

    /** Returns the call of a script that stores something, in the form that lists it too if it is to be listed. */
    public static ScriptCall storing(
            Script alone, Script listing, EncodedKey key, Envelope envelope, List<byte[]> arguments) {
        if (!key.isIndexed() || !envelope.isEntry()) {
            return of(alone, key, arguments);
        }
        GroupHome home = GroupHome.of(key);
        List<byte[]> all = new ArrayList<>(arguments);
        all.add(home.nameOf(key).bytes());
        return new ScriptCall(listing, List.of(key, home.index()), all);
    }
}
