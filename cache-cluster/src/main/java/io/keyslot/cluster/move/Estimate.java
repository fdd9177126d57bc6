// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.cluster.move.MoveProgress.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Estimates the amount of data to copy from a sample. */
public final class Estimate {
    private static final int PAGES = 10;
    private static final int KEYS_OF_A_PAGE = 1_000;

    /** The free memory that the target must have, for each estimated byte. */
    private static final double RESERVE = 1.3;

    private Estimate() {}

    /** Returns the estimate; refuses the move if the target has too little memory. */
    static Amount of(Side source, Side target, Predicate<EncodedKey> wanted) {
        Amount amount = of(source, wanted);
        shortage(target, amount.bytes()).ifPresent(shortage -> {
            throw new MoveTrouble(MoveTrouble.Kind.REFUSED, target + " has too little memory: " + shortage);
        });
        return amount;
    }

    public static Amount of(Asked source, Predicate<EncodedKey> wanted) {
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
        return new Amount(keys, bytes);
    }

    /** Returns why a partition has no room for this many bytes, or empty if it has. */
    public static Optional<String> shortage(Asked target, long bytes) {
        long free = target.ask(new SlotTransfer.Memory()).freeBytes();
        return free < bytes * RESERVE
                ? Optional.of("%d bytes are free, and about %d are to be copied there".formatted(free, bytes))
                : Optional.empty();
    }
}
