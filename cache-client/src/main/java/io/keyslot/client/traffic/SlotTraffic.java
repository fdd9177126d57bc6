// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.traffic;

/**
 * What one client has asked for in one slot during some time, by a sample.
 *
 * @param slot which one
 * @param calls about how many commands named a key of the slot; those of a bulk call count one by one
 * @param bytes about how many bytes of keys and values went to and fro with them
 * @param root of the group or key that most of these calls were about; empty if there is no such one
 * @param rootCalls of these calls, at least about so many were about the root
 */
public record SlotTraffic(int slot, long calls, long bytes, String root, long rootCalls) {
    public SlotTraffic {
        if (slot < 0 || calls < 0 || bytes < 0 || rootCalls < 0 || rootCalls > calls) {
            throw new IllegalArgumentException("Traffic of a slot is never negative, and its root's is a part of it");
        }
    }

    /** Returns the same without a root. */
    SlotTraffic withoutRoot() {
        return root.isEmpty() ? this : new SlotTraffic(slot, calls, bytes, "", 0);
    }
}
