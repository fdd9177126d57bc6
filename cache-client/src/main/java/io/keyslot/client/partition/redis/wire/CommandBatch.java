// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

/** Commands that are refused or written together, of which the last one is waited for. */
public interface CommandBatch extends Outgoing {
    /** Returns the one that is waited for. */
    RoutedCommand<?, ?> last();

    /** Returns how many commands there are, the last one included. */
    int size();

    /** Says that none of them is sent; the last one was refused. */
    void abandon();
}
