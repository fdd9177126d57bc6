// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Guard;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Piece;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The batches in flight from source to target: some are read while others are stored, so that both sides and this
 * process work in parallel. Bounded, so that the slower side sets the pace. For one thread.
 * <ul>
 *   <li>Imports are sent in the order of their exports and arrive in that order, unless one had to be sent again.
 *   <li>After a value of several pieces nothing is sent until all of it is stored; otherwise the pieces of two
 *       copies of it would mix.
 *   <li>{@link #finish} returns when everything is answered. Dirty keys may be forgotten only after it: an import
 *       in flight has the data from before a write, and must not arrive after the import with that write.
 * </ul>
 */
final class Transit {
    /** The most exports and imports in flight, each of about a megabyte. */
    private static final int MOST_BATCHES = 3;

    private final Side source;
    private final Side target;
    private final Guard importing;
    private final MoveTime time;
    private final MovePacer pace;
    private final Deque<Export> exports = new ArrayDeque<>();
    private final Deque<Import> imports = new ArrayDeque<>();

    Transit(Side source, Side target, Guard importing, MoveTime time, MovePacer pace) {
        this.source = source;
        this.target = target;
        this.importing = importing;
        this.time = time;
        this.pace = pace;
    }

    private record Export(SlotTransfer.Export command, CompletableFuture<Reply<List<Piece>>> sent, long at) {}

    private record Import(SlotTransfer.Import command, CompletableFuture<Reply<Boolean>> sent, long bytes) {
        long keys() {
            return command.pieces().stream().filter(Piece::isLast).count();
        }
    }

    /** Copies these keys, at most one command's. Some may be in flight when this method returns. */
    void add(List<EncodedKey> keys) {
        export(keys);
        if (pace.isOneAtATime()) {
            finish();
        }
        while (exports.size() >= MOST_BATCHES) {
            takeExport();
        }
    }

    void finish() {
        while (!exports.isEmpty()) {
            takeExport();
        }
        while (!imports.isEmpty()) {
            takeImport();
        }
    }

    private void export(List<EncodedKey> keys) {
        SlotTransfer.Export command = new SlotTransfer.Export(keys);
        exports.add(new Export(command, source.send(command), time.nanos()));
    }

    private void takeExport() {
        Export export = exports.remove();
        List<Piece> pieces = source.take(export.command(), export.sent());
        List<EncodedKey> keys = export.command().keys();
        if (pieces.size() < keys.size()) {
            export(keys.subList(pieces.size(), keys.size()));
        }
        store(pieces, export.at());
        for (Piece piece : pieces) {
            if (!piece.isLast()) {
                rest(piece);
            }
        }
    }

    private void rest(Piece first) {
        finishImports();
        Piece piece = first;
        while (!piece.isLast()) {
            long askedAt = time.nanos();
            piece = source.ask(new SlotTransfer.ExportRest(piece.key(), piece.form(), piece.next()));
            store(List.of(piece), askedAt);
            finishImports();
        }
    }

    private void finishImports() {
        while (!imports.isEmpty()) {
            takeImport();
        }
    }

    /** The source's times to live were true at the time of the request at the earliest. */
    private void store(List<Piece> pieces, long askedAt) {
        while (imports.size() >= MOST_BATCHES) {
            takeImport();
        }
        long millis = time.millisSince(askedAt);
        List<Piece> now = new ArrayList<>(pieces.size());
        long bytes = 0;
        for (Piece piece : pieces) {
            now.add(piece.after(millis));
            bytes += piece.sizeBytes();
        }
        SlotTransfer.Import command = new SlotTransfer.Import(importing, now);
        imports.add(new Import(command, target.send(command), bytes));
    }

    private void takeImport() {
        Import stored = imports.remove();
        if (!target.take(stored.command(), stored.sent())) {
            throw MoveTrouble.lost(target + " does not wait for these slots of this coordinator any more");
        }
        pace.done(stored.keys(), stored.bytes());
    }
}
