// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

/** Called before a new topology becomes visible. Must not block or throw. */
@FunctionalInterface
public interface TopologyObserver {
    void changes(Topology older, Topology newer);
}
