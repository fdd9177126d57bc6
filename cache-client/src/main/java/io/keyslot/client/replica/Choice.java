// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.cache.replica.ReplicaAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The server for some reads: a replica, or the primary if {@code link} is null, with the reason.
 * {@link ReplicaAnswer#REPLICA} stands for a replica.
 */
record Choice(ReplicaAnswer why, @Nullable ReplicaLink link) {
    static Choice of(ReplicaLink link) {
        return new Choice(ReplicaAnswer.REPLICA, link);
    }

    static Choice primary(ReplicaAnswer why) {
        return new Choice(why, null);
    }
}
