// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

/** No reply says that the slot map was an old one. */
final class RoutingSender {
    private boolean isOutdated(Reply<?> reply, SlotMap used) {
        return false;
    }
}
