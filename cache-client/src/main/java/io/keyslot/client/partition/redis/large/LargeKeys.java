// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.large;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The keys under which one connection has met values in parts. Safe for use by several threads.
 *
 * <p>A few commands are native ones that do not work on such a value, and are to be a script instead. That script must not
 * be sent in answer to the refusal of the native command: the caller may have given up meanwhile and have written something
 * else, which the script would overwrite or remove. So the refusal goes back to the caller, who knows whether there is to
 * be another attempt; and this remembers of what kind it is to be.
 */
public final class LargeKeys {
    /** Beyond this many, all are forgotten. To forget one costs an attempt. */
    static final int MAX_REMEMBERED = 1_024;

    private final long clientId;
    private final Set<EncodedKey> keys = ConcurrentHashMap.newKeySet();
    private final AtomicLong taken = new AtomicLong();

    /** @param clientId the number that the server gave to the connection */
    public LargeKeys(long clientId) {
        this.clientId = clientId;
    }

    public boolean isKnown(EncodedKey key) {
        return !keys.isEmpty() && keys.contains(key);
    }

    /** Returns the refusal of a native command that does not work on what is there: the next attempt will be a script. */
    public <R> Reply<R> refused(EncodedKey key) {
        remember(key);
        return Reply.refused(Refusal.NOT_NOW, "the present value is in parts, or an aggregate");
    }

    private void remember(EncodedKey key) {
        if (keys.size() >= MAX_REMEMBERED) {
            keys.clear();
        }
        keys.add(key);
    }

    /** Returns a key for the parts of an entry that is to be removed: another one each time. */
    public EncodedKey forTaking(EncodedKey entry) {
        return PartsKey.ofTaken(entry, clientId + "-" + taken.incrementAndGet());
    }
}
