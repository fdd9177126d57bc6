// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

/** Everything passes. */
final class Gate extends ChannelDuplexHandler {
    boolean admits(RoutedCommand<?, ?> command) {
        return true;
    }
}
