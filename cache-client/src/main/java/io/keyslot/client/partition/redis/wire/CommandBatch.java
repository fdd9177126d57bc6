// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

/** Commands that are refused or written together, and of which only the last has a timer. */
public interface CommandBatch extends Outgoing {
    RoutedCommand<?, ?> last();

    int size();

    /** Called if the last one was refused and none of them is sent. */
    void abandon();
}
