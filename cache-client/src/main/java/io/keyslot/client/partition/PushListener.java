// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/**
 * A listener for the pushes of a connection. It is called by one thread at a time, an I/O thread or one that changes
 * stored data: it must be short, must not block or send commands, and must not call application code. An exception is
 * logged and does not affect other listeners.
 */
@FunctionalInterface
public interface PushListener {
    void pushed(Push push);
}
