// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Peer;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.copy.MoveTrouble;
import io.keyslot.cluster.copy.Side;
import java.time.Duration;
import java.util.List;

/**
 * Waits until every connection to a partition routes by a map that is new enough: what was routed by an older one has been
 * executed by then, or never will be. Nobody else can connect before that is asked.
 */
final class Barrier {
    /**
     * So long the clients have to follow by themselves; a connection that has not by then is ended. A client that has not heard of
     * a move looks for a newer map every six seconds at the latest.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    /** Whoever enters with an old map is turned away long before. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(10);

    private final MoveTime time;
    private final MoveLog pendingDeletes;

    Barrier(MoveTime time, MoveLog pendingDeletes) {
        this.time = time;
        this.pendingDeletes = pendingDeletes;
    }

    /**
     * Waits. Clients have their time to follow, without losing a connection; then nobody enters any more who does not know the
     * map, and who has not followed is dismissed.
     *
     * @param look is called now and then
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
                throw new MoveTrouble(
                        MoveTrouble.Kind.LOST,
                        "%d clients of %s do not follow, and are there again when they are dismissed"
                                .formatted(late.size(), side));
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
        pendingDeletes.behind(behind.size());
        return behind;
    }
}
