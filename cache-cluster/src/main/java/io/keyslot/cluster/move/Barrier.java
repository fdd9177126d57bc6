// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.config.Counted;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Peer;
import java.time.Duration;
import java.util.List;

/**
 * Waits until every connection to a partition routes by a map that is new enough: commands that were routed by an older
 * map have been executed by then, or never will be. New connections with an older map are rejected before the last check.
 */
record Barrier(MoveTime time, MoveLog log) {
    /** The time to follow before a connection is closed. A client looks for a newer map at least every six seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    /** A client with an old map is rejected long before. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(10);

    /**
     * Waits. First clients have time to follow; then new connections with an older map are rejected, and connections
     * that have not followed are closed. {@code look} is called repeatedly.
     */
    void await(Side side, long version, Runnable look) {
        side.show();
        long begin = time.nanos();
        while (!behind(side, version).isEmpty() && time.since(begin).compareTo(PATIENCE) < 0) {
            time.pause(PAUSE);
            look.run();
        }
        Long unused = side.ask(new FenceCommand.SetMinVersion(version));
        for (List<Peer> late = behind(side, version); !late.isEmpty(); late = behind(side, version)) {
            if (time.since(begin).compareTo(LONGEST) > 0) {
                throw MoveTrouble.lost("%s of %s without the newest map, there again after each dismissal"
                        .formatted(Counted.of(late.size(), "client"), side));
            }
            Long unusedCount = side.ask(
                    new SlotTransfer.Dismiss(late.stream().map(Peer::id).toList()));
            time.pause(PAUSE);
            look.run();
        }
    }

    private List<Peer> behind(Side side, long version) {
        List<Peer> behind = side.ask(new SlotTransfer.ListClients()).stream()
                .filter(peer -> peer.isBehind(version))
                .toList();
        log.behind(behind.size());
        return behind;
    }
}
