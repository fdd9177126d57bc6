// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.stored.EncodedKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/** Lists keys by range; a cursor is the number of the next range. No state is kept between pages. */
final class EmbeddedScan {
    private EmbeddedScan() {}

    /** Returns whole ranges, until the requested number of keys was inspected. */
    static Reply<ScanPage> page(StoredEntries entries, Command.Scan command) {
        byte[] prefix = command.prefix().getBytes(StandardCharsets.UTF_8);
        return page(entries, command.cursor(), command.count(), key -> startsWith(key.bytes(), prefix));
    }

    static Reply<ScanPage> page(StoredEntries entries, String cursor, int count, Predicate<EncodedKey> wanted) {
        OptionalInt first = firstRange(cursor);
        if (first.isEmpty()) {
            return Reply.refused(Refusal.FORBIDDEN, "a scan was continued with a cursor that no page had given");
        }
        List<EncodedKey> listed = new ArrayList<>();
        int lookedAt = 0;
        int range = first.getAsInt();
        do {
            Collection<EncodedKey> keys = entries.keys().range(range);
            for (EncodedKey key : keys) {
                lookedAt++;
                if (wanted.test(key) && entries.contains(key)) {
                    listed.add(key);
                }
            }
            range++;
        } while (range < KeyIndex.RANGES && lookedAt < count);
        return Reply.done(
                new ScanPage(List.copyOf(listed), range == KeyIndex.RANGES ? ScanPage.START : Integer.toString(range)));
    }

    private static OptionalInt firstRange(String cursor) {
        try {
            int range = Integer.parseInt(cursor);
            return range >= 0 && range < KeyIndex.RANGES ? OptionalInt.of(range) : OptionalInt.empty();
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }
}
