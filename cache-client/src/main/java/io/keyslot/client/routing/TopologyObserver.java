// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

/** Hears of another topology before anybody sees it. It must not block or throw. */
@FunctionalInterface
public interface TopologyObserver {
    void changes(Topology older, Topology newer);
}
