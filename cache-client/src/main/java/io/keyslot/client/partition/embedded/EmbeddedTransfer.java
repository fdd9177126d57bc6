// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Handlers;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.ScanPage;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.embedded.EmbeddedPartition.Incarnation;
import io.keyslot.client.partition.embedded.StoredEntries.Change;
import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.AggregateModel;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.Piece;
import io.keyslot.client.stored.ProbeKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Moves slots, with each slot locked per step. An aggregate's words are its last stamp and its elements. */
final class EmbeddedTransfer {
    private static final Handlers<EmbeddedTransfer, SlotTransfer<?>, Object> HANDLERS = new Handlers<
                    EmbeddedTransfer, SlotTransfer<?>, Object>()
            .on(SlotTransfer.Export.class, EmbeddedTransfer::export)
            .on(SlotTransfer.ExportRest.class, EmbeddedTransfer::exportRest)
            .on(SlotTransfer.Import.class, EmbeddedTransfer::importPieces)
            .on(SlotTransfer.Purge.class, EmbeddedTransfer::purge)
            .on(SlotTransfer.ReadDirty.class, EmbeddedTransfer::readDirty)
            .on(SlotTransfer.ForgetDirty.class, EmbeddedTransfer::forgetDirty)
            .on(SlotTransfer.Weights.class, EmbeddedTransfer::weights)
            .on(SlotTransfer.Memory.class, (self, memory) -> self.entries.memory())
            .on(SlotTransfer.ListClients.class, (self, list) -> self.peers())
            .on(SlotTransfer.Dismiss.class, (self, dismiss) -> self.dismiss(dismiss.ids()))
            .on(SlotTransfer.Note.class, EmbeddedTransfer::note)
            .on(SlotTransfer.ReadNote.class, (self, read) -> self.fences.noted(read.move()));

    /** The elements of one piece; even, because some aggregates have two per member. */
    private static final int MOST_ELEMENTS = 128;

    private static final Map<AggregateKind, Piece.Form> FORMS = Map.of(
            AggregateKind.HASH, Piece.Form.HASH,
            AggregateKind.LIST, Piece.Form.LIST,
            AggregateKind.SET, Piece.Form.SET,
            AggregateKind.SORTED_SET, Piece.Form.SORTED_SET,
            AggregateKind.COUNTER, Piece.Form.COUNTER);

    private static final Map<Piece.Form, AggregateKind> KINDS =
            FORMS.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

    private final StoredEntries entries;
    private final int epoch;
    private final EmbeddedFences fences;
    private final Incarnation incarnation;
    private final long ownId;
    private final String address;

    /** Creates the operations of the connection with this id. */
    EmbeddedTransfer(Incarnation incarnation, long ownId, String address) {
        this.entries = incarnation.entries();
        this.epoch = incarnation.epoch();
        this.fences = entries.fences();
        this.incarnation = incarnation;
        this.ownId = ownId;
        this.address = address;
    }

    Reply<?> execute(SlotTransfer<?> command) {
        return command instanceof SlotTransfer.Keys keys ? keys(keys) : Reply.done(HANDLERS.answer(this, command));
    }

    /** All keys except probes are wanted, because this engine has no other technical or foreign keys. */
    private Reply<ScanPage> keys(SlotTransfer.Keys command) {
        return entries.page(command.cursor(), command.count(), command.wanted().and(key -> !ProbeKey.isOne(key)));
    }

    private List<Piece> export(SlotTransfer.Export command) {
        List<Piece> pieces = new ArrayList<>();
        long bytes = 0;
        for (EncodedKey key : command.keys()) {
            Piece piece = piece(key, Piece.FIRST);
            pieces.add(piece);
            bytes += piece.sizeBytes();
            if (bytes >= SlotTransfer.MOST_BYTES) {
                break;
            }
        }
        return pieces;
    }

    private Piece exportRest(SlotTransfer.ExportRest command) {
        Piece piece = piece(command.key(), command.from());
        return piece.form() == command.form() ? piece : Piece.nothing(command.key());
    }

    private Piece piece(EncodedKey key, String from) {
        return entries.together(key.slot(), () -> {
            EmbeddedEntry found = entries.find(key);
            if (found == null) {
                return Piece.nothing(key);
            }
            long left = found.millisLeft(entries.nowNanos());
            EmbeddedEntry.Aggregate aggregate = found.aggregate();
            if (aggregate == null) {
                return Piece.string(key, found.bytes(), epoch, left);
            }
            return aggregate.epoch() == epoch ? piece(key, aggregate, from, left) : Piece.nothing(key);
        });
    }

    private static Piece piece(EncodedKey key, EmbeddedEntry.Aggregate aggregate, String from, long left) {
        AggregateModel model = aggregate.model();
        List<Element> elements = model.elements();
        int first = Math.min(from.equals(Piece.FIRST) ? 0 : Integer.parseInt(from), elements.size());
        int next = Math.min(first + MOST_ELEMENTS, elements.size());
        List<Element> words = new ArrayList<>();
        words.add(Element.of(
                ByteBuffer.allocate(Long.BYTES).putLong(aggregate.stamp()).array()));
        words.addAll(elements.subList(first, next));
        return new Piece(
                key,
                FORMS.getOrDefault(model.kind(), Piece.Form.NOTHING),
                from,
                words,
                left,
                next == elements.size() ? Piece.LAST : Integer.toString(next));
    }

    private boolean importPieces(SlotTransfer.Import command) {
        List<EncodedKey> keys = command.pieces().stream().map(Piece::key).toList();
        if (!areGuarded(command.guard(), keys)) {
            return false;
        }
        boolean all = true;
        for (Piece piece : command.pieces()) {
            all &= entries.together(piece.key().slot(), () -> isGuarded(command.guard(), piece.key()) && store(piece));
        }
        return all;
    }

    private boolean store(Piece piece) {
        return entries.change(piece.key(), present -> new Change<>(true, stored(piece, present)));
    }

    private @Nullable EmbeddedEntry stored(Piece piece, @Nullable EmbeddedEntry present) {
        if (piece.form() == Piece.Form.NOTHING) {
            return null;
        }
        EmbeddedEntry next = piece.form() == Piece.Form.STRING
                ? EmbeddedEntry.lasting(
                        Piece.inIncarnation(piece.key(), piece.words().get(0).bytes(), epoch))
                : EmbeddedEntry.lasting(aggregate(piece, present));
        return next.expiring(
                piece.expiresInMillis() < 0 ? Expiry.NEVER : Expiry.afterMillis(piece.expiresInMillis()),
                entries.nowNanos());
    }

    private EmbeddedEntry.Aggregate aggregate(Piece piece, @Nullable EmbeddedEntry present) {
        AggregateKind kind = KINDS.get(piece.form());
        if (kind == null) {
            throw new IllegalArgumentException("this engine has no " + piece.form());
        }
        EmbeddedEntry.Aggregate before = piece.isFirst() || present == null ? null : present.aggregate();
        AggregateModel model = before == null || before.model().kind() != kind
                ? AggregateModel.empty(kind)
                : before.model().copy();
        model.addAll(piece.words().subList(1, piece.words().size()));
        long stamp = ByteBuffer.wrap(piece.words().get(0).bytes()).getLong();
        return new EmbeddedEntry.Aggregate(epoch, stamp, model);
    }

    private boolean purge(SlotTransfer.Purge command) {
        if (!areGuarded(command.guard(), command.keys())) {
            return false;
        }
        boolean all = true;
        for (EncodedKey key : command.keys()) {
            all &= entries.together(
                    key.slot(),
                    () -> isGuarded(command.guard(), key) && entries.change(key, present -> new Change<>(true, null)));
        }
        return all;
    }

    private boolean areGuarded(SlotTransfer.Guard guard, List<EncodedKey> keys) {
        return keys.stream().allMatch(key -> isGuarded(guard, key));
    }

    private boolean isGuarded(SlotTransfer.Guard guard, EncodedKey key) {
        return fences.isGuarded(guard, guard.slots().slotOf(key));
    }

    private List<SlotTransfer.Dirty> readDirty(SlotTransfer.ReadDirty command) {
        return command.slots().stream()
                .map(slot -> entries.together(
                        slot,
                        () -> new SlotTransfer.Dirty(
                                slot, fences.isGuarded(command.guard(), slot), fences.written(slot, command.atMost()))))
                .filter(dirty -> !dirty.isKnown() || !dirty.keys().isEmpty())
                .toList();
    }

    private boolean forgetDirty(SlotTransfer.ForgetDirty command) {
        return entries.together(command.slot(), () -> {
            boolean isGuarded = fences.isGuarded(command.guard(), command.slot());
            if (isGuarded) {
                fences.forget(command.slot(), command.keys());
            }
            return isGuarded;
        });
    }

    private List<Long> weights(SlotTransfer.Weights command) {
        return command.keys().stream()
                .map(entries::find)
                .map(found -> found == null ? 0L : found.sizeBytes() + StoredEntries.OVERHEAD_BYTES)
                .toList();
    }

    private boolean note(SlotTransfer.Note command) {
        fences.note(command.move(), command.text());
        return true;
    }

    private List<SlotTransfer.Peer> peers() {
        return incarnation.connections().all().stream()
                .filter(other -> other.id() != ownId)
                .map(EmbeddedConnection::peer)
                .toList();
    }

    private long dismiss(List<Long> ids) {
        List<EmbeddedConnection> dismissed = incarnation.connections().all().stream()
                .filter(other -> ids.contains(other.id()))
                .toList();
        dismissed.forEach(other -> other.lose("the connection to " + address + " was ended by a coordinator"));
        return dismissed.size();
    }
}
