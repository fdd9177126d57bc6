// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cluster.local.LocalServer;
import io.keyslot.slot.PartitionId;

/** Kills a server process, and starts it again. */
final class ServerOutage implements Outage {
    private final PartitionId partition;
    private final LocalServer server;

    ServerOutage(PartitionId partition, LocalServer server) {
        this.partition = partition;
        this.server = server;
    }

    @Override
    public PartitionId partition() {
        return partition;
    }

    @Override
    public String means() {
        return "kill -9 of the server at " + server.uri();
    }

    @Override
    public void begin() {
        server.kill();
    }

    @Override
    public void end() {
        server.restart();
    }
}
