// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.bounded;

import io.keyslot.client.partition.ReplicaCommand;

/**
 * Whether what a replica has may be served although its primary cannot be asked. Pure. Nobody writes beats then, so the age alone
 * does not tell for some time that somebody else has taken over. It may if all of this is so:
 *
 * <ul>
 *   <li>The replica says behind the entries that it is a replica still. One that was promoted has been written to since.
 *   <li>The life that it has recorded, read behind the entries, is that of the beat. One that follows a promoted server has the life that was begun
 *       there before it has anything that was written in it.
 *   <li>It is the life in which this process has known the primary last. This process may have been told of a newer one before
 *       it heard a beat of it.
 *   <li>This process does not owe the partition that everything is given up.
 * </ul>
 *
 * <p>How old it is, and whether it has the writes of this process, is asked besides, as ever.
 */
final class WhileMissing {
    private WhileMissing() {}

    /**
     * Returns whether it may.
     *
     * @param readBy the epoch of the entries that were read
     * @param lastKnown the epoch in which this process has known the primary last
     * @param owesEverything whether all that the partition has stored is to be given up
     */
    static boolean isServed(ReplicaCommand.Behind behind, int readBy, int lastKnown, boolean owesEverything) {
        return !owesEverything
                && readBy == lastKnown
                && behind.standing()
                        .filter(ReplicaCommand.Standing::isReplica)
                        .flatMap(standing ->
                                behind.beat().filter(beat -> beat.life().equals(standing.life())))
                        .isPresent();
    }
}
