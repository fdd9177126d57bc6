// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.cluster.move.MoveProgress.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** How much there is to be copied, by a sample. */
final class Estimate {
    private static final int PAGES = 10;
    private static final int KEYS_OF_A_PAGE = 1_000;

    /** What the target must have free, for each byte that is estimated. */
    private static final double RESERVE = 1.3;

    private Estimate() {}

    /** Returns the estimate; the move is refused if the target has too little memory for it. */
    static Amount of(Side source, Side target, Predicate<EncodedKey> wanted) {
        MemoryUse used = source.ask(new SlotTransfer.Memory());
        List<EncodedKey> seen = new ArrayList<>();
        String cursor = ScanPage.START;
        int pages = 0;
        do {
            ScanPage page = source.ask(new SlotTransfer.Keys(cursor, key -> true, KEYS_OF_A_PAGE));
            seen.addAll(page.keys());
            cursor = page.next();
            pages++;
        } while (!cursor.equals(ScanPage.START) && pages < PAGES);
        List<EncodedKey> moving = seen.stream().filter(wanted).toList();
        if (moving.isEmpty()) {
            return Amount.NONE;
        }
        List<EncodedKey> sample = moving.subList(0, Math.min(moving.size(), SlotTransfer.MOST_KEYS));
        long weight = source.ask(new SlotTransfer.Weights(sample)).stream()
                .mapToLong(Long::longValue)
                .sum();
        double share =
                cursor.equals(ScanPage.START) ? moving.size() : (double) moving.size() / seen.size() * used.keys();
        long keys = Math.round(share);
        long bytes = Math.round(share * weight / sample.size());
        requireRoom(target, bytes);
        return new Amount(keys, bytes);
    }

    private static void requireRoom(Side target, long bytes) {
        long free = target.ask(new SlotTransfer.Memory()).freeBytes();
        if (free < bytes * RESERVE) {
            throw new MoveTrouble(
                    MoveTrouble.Kind.REFUSED,
                    "%s has %d bytes free, and about %d are to be copied there".formatted(target, free, bytes));
        }
    }
}
