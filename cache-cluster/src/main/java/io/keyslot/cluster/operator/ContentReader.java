// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Piece;
import io.keyslot.client.stored.Slices;
import io.keyslot.cluster.copy.Asked;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads stored data for verification. Changes nothing. For one thread. */
record ContentReader(Asked partition) {
    /** Returns the data of keys, in order. Of an aggregate, which has no checksum, only the first piece is read. */
    Map<EncodedKey, StoredContent> read(List<EncodedKey> keys) {
        Map<EncodedKey, StoredContent> contents = new LinkedHashMap<>();
        for (List<EncodedKey> some : Slices.of(keys, SlotTransfer.MOST_KEYS)) {
            List<EncodedKey> left = some;
            while (!left.isEmpty()) {
                List<Piece> pieces = partition.ask(new SlotTransfer.Export(left));
                pieces.forEach(piece -> contents.put(piece.key(), StoredContent.of(piece)));
                left = left.subList(pieces.size(), left.size());
            }
        }
        return contents;
    }
}
