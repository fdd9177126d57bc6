// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.routing.MoveSimulation.Mutant;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a server has of one slot, in a simulation of its moves. For one thread. */
final class MovingServer {
    final PartitionId id;
    private final Mutant mutant;
    private final Map<EncodedKey, Envelope> entries = new HashMap<>();
    private final Set<EncodedKey> noted = new HashSet<>();
    private final List<long[]> names = new ArrayList<>();
    private @Nullable State state;
    private long movedBy;
    long minVersion;

    MovingServer(PartitionId id, Mutant mutant) {
        this.id = id;
        this.mutant = mutant;
    }

    /** Lists a connection with the version in its name; who has it changes that. */
    long[] list(long version) {
        long[] name = {version};
        names.add(name);
        return name;
    }

    @SuppressWarnings("ReferenceEquality") // this very name: others may say the same version
    void forget(long[] name) {
        names.removeIf(listed -> listed == name);
    }

    boolean areAllNamed(long version) {
        return names.stream().allMatch(name -> name[0] >= version);
    }

    void fence(@Nullable State next, long version) {
        if (next == State.MOVING) {
            noted.clear();
        }
        state = next;
        movedBy = version;
    }

    void purge() {
        entries.clear();
    }

    Map<EncodedKey, Optional<Envelope>> everything() {
        Map<EncodedKey, Optional<Envelope>> all = new HashMap<>();
        entries.forEach((key, entry) -> all.put(key, Optional.of(entry)));
        return all;
    }

    /** Returns what was noted, which is not noted any more. */
    Map<EncodedKey, Optional<Envelope>> noted() {
        Map<EncodedKey, Optional<Envelope>> all = new HashMap<>();
        noted.forEach(key -> all.put(key, Optional.ofNullable(entries.get(key))));
        noted.clear();
        return all;
    }

    void take(Map<EncodedKey, Optional<Envelope>> copied) {
        copied.forEach(
                (key, entry) -> entry.ifPresentOrElse(present -> entries.put(key, present), () -> entries.remove(key)));
    }

    /** Does what a command says, if a fence that is asked lets it. */
    Reply<?> execute(Command<?> command, Route route) {
        boolean isWrite = command.isWrite();
        if (route.isFenced() && (isWrite || mutant != Mutant.READS_WITHOUT_FENCE)) {
            if (state == null) {
                return new Reply.Refused<>(Refusal.MOVED, "unknown", route.mapVersion() + 1);
            } else if (state == State.MOVED) {
                return new Reply.Refused<>(Refusal.MOVED, "moved", movedBy);
            } else if (state == State.IMPORTING || (state == State.FROZEN && isWrite)) {
                return Reply.refused(Refusal.FROZEN, "frozen");
            }
            if (isWrite && state == State.MOVING && mutant != Mutant.NOTHING_NOTED) {
                noted.addAll(command.keys());
            }
        }
        return Reply.done(answer(command));
    }

    private Object answer(Command<?> command) {
        if (command instanceof Command.Put put) {
            entries.put(put.key(), put.envelope());
            return true;
        }
        if (command instanceof Command.RemoveAll removal) {
            return removal.keys().stream()
                    .filter(key -> entries.remove(key) != null)
                    .count();
        }
        if (command instanceof Command.GetAll all) {
            return all.keys().stream().map(this::find).toList();
        }
        return find(command.keys().get(0));
    }

    private Lookup find(EncodedKey key) {
        Envelope found = entries.get(key);
        return found == null ? Lookup.absent() : Lookup.of(found);
    }
}
