// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

/**
 * Hears what a partition tells a connection without being asked. Called by one thread at a time, which does I/O or changes what
 * is stored: it must be short, must not block, must not send anything, and must not call the application's code. What it throws
 * is logged, and changes nothing for others.
 */
@FunctionalInterface
public interface PushListener {
    void pushed(Push push);
}
