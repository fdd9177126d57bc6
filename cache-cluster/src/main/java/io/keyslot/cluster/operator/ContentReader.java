// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.operator;

import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Piece;
import io.keyslot.client.stored.Slices;
import io.keyslot.cluster.copy.Asked;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what is under keys of a partition, for judging it. Changes nothing. For one thread. */
final class ContentReader {
    /** How often a large value is read that is written meanwhile. */
    private static final int MOST_ATTEMPTS = 3;

    private final Asked partition;

    ContentReader(Asked partition) {
        this.partition = partition;
    }

    /** Returns what is under each of these keys, in their order. */
    Map<EncodedKey, StoredContent> read(List<EncodedKey> keys) {
        Map<EncodedKey, StoredContent> contents = new LinkedHashMap<>();
        for (List<EncodedKey> some : Slices.of(keys, SlotTransfer.MOST_KEYS)) {
            List<EncodedKey> left = some;
            while (!left.isEmpty()) {
                List<Piece> pieces = partition.ask(new SlotTransfer.Export(left));
                pieces.forEach(piece -> contents.put(piece.key(), content(piece)));
                left = left.subList(pieces.size(), left.size());
            }
        }
        return contents;
    }

    /** Of an aggregate the first piece is enough: no checksum is waiting for the others. */
    private StoredContent content(Piece first) {
        if (first.form() != Piece.Form.PARTS || first.isLast()) {
            return StoredContent.of(List.of(first));
        }
        Piece begin = first;
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            List<Piece> pieces = whole(begin);
            Piece again =
                    partition.ask(new SlotTransfer.Export(List.of(first.key()))).get(0);
            if (again.form() != Piece.Form.PARTS || again.isLast()) {
                return StoredContent.of(List.of(again));
            }
            // Whoever has written in between has changed the manifest: then these are pieces of two values.
            if (again.words().get(0).equals(begin.words().get(0))) {
                return StoredContent.of(pieces);
            }
            begin = again;
        }
        return StoredContent.of(List.of(begin));
    }

    private List<Piece> whole(Piece first) {
        List<Piece> pieces = new ArrayList<>(List.of(first));
        Piece piece = first;
        while (!piece.isLast()) {
            piece = partition.ask(new SlotTransfer.ExportRest(piece.key(), piece.form(), piece.next()));
            pieces.add(piece);
        }
        return pieces;
    }
}
