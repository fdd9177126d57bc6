// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.cache.replica.ReplicaAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Who is asked for some entries.
 *
 * @param why why it is the primary; {@link ReplicaAnswer#REPLICA} exactly if it is not
 * @param link the replica, null for the primary
 */
record Choice(ReplicaAnswer why, @Nullable ReplicaLink link) {
    static Choice of(ReplicaLink link) {
        return new Choice(ReplicaAnswer.REPLICA, link);
    }

    static Choice primary(ReplicaAnswer why) {
        return new Choice(why, null);
    }
}
