// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.embedded;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.FenceCommand.Fences;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.client.stored.SlotFence.State;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fences of moving slots, with the keys written meanwhile. {@link StoredEntries} holds the locks of a command's
 * keys while its slots are checked and it is executed. Fences are set with all locks held.
 *
 * <p>A key is locked by its hash, even if a placement assigns it to another slot. So the written keys of a placed slot
 * may be read while keys are added. None is lost: a key is added and written under one lock, and a reader that has
 * removed it from the set takes that lock to read it.
 */
final class EmbeddedFences {
    /** States without writes in which the written keys are still read. */
    private static final Set<State> KEEPS_NOTES = EnumSet.of(State.FROZEN, State.CLOSED);

    private final StoredEntries entries;
    private final Map<Integer, SlotFence> fences = new ConcurrentHashMap<>();
    private final Map<Integer, Set<EncodedKey>> written = new ConcurrentHashMap<>();
    private final AtomicLong minVersion = new AtomicLong();
    private final Map<String, Noted> notes = new ConcurrentHashMap<>();

    // Coordinators' numbers, by move, and the highest one of a move that has ended; written with all locks held.
    private final Map<String, Long> coordinators = new ConcurrentHashMap<>();
    private volatile long ended;

    /** The mapping of the newest fenced command; the moving slots of a key do not change meanwhile. */
    private volatile KeySlots slots = KeySlots.HASHED;

    EmbeddedFences(StoredEntries entries) {
        this.entries = entries;
    }

    private record Noted(String text, long nanos) {}

    private static final Noted NOTHING = new Noted("", 0);

    public void note(String move, String text) {
        notes.put(move, new Noted(text, entries.nowNanos()));
    }

    public SlotTransfer.Noted noted(String move) {
        Noted last = notes.getOrDefault(move, NOTHING);
        long age = TimeUnit.NANOSECONDS.toMillis(entries.nowNanos() - last.nanos());
        return last.text().isEmpty() || age >= SlotTransfer.Note.KEPT_MILLIS
                ? SlotTransfer.Noted.NOTHING
                : new SlotTransfer.Noted(last.text(), age);
    }

    /** Records a changed key if its slot is moving away. Called with the slot locked. */
    void note(EncodedKey key) {
        if (written.isEmpty()) {
            return;
        }
        Set<EncodedKey> keys = written.get(slots.slotOf(key));
        if (keys != null) {
            keys.add(key);
        }
    }

    /** Returns the modifiable set of keys written since the slot began to move away; null if they are not recorded. */
    @Nullable
    public Set<EncodedKey> written(int slot) {
        return written.get(slot);
    }

    public List<EncodedKey> written(int slot, int atMost) {
        Set<EncodedKey> keys = written.get(slot);
        return keys == null ? List.of() : keys.stream().limit(atMost).toList();
    }

    public void forget(int slot, List<EncodedKey> keys) {
        Set<EncodedKey> noted = written.get(slot);
        if (noted != null) {
            keys.forEach(noted::remove);
        }
    }

    /** Returns whether a slot is fenced as required, and no newer coordinator of the move has set a fence. */
    public boolean isGuarded(SlotTransfer.Guard guard, int slot) {
        SlotFence fence = fences.get(slot);
        return fence != null
                && fence.state() == guard.state()
                && fence.move().equals(guard.move())
                && coordinators.getOrDefault(guard.move(), Long.MAX_VALUE) <= guard.coordinator();
    }

    public long minVersion() {
        return minVersion.get();
    }

    /** Executes a command if its slots are here; refuses it otherwise. */
    public <R> Reply<R> execute(Command<R> command, Route route, Supplier<Reply<R>> work) {
        List<EncodedKey> keys = command.keys();
        Set<Integer> asked = Set.copyOf(keys.stream().map(route.slots()::slotOf).toList());
        return entries.together(keys, () -> {
            slots = route.slots();
            return this.<R>refusal(asked, command.isWrite(), route.mapVersion()).orElseGet(work);
        });
    }

    private <R> Optional<Reply<R>> refusal(Set<Integer> asked, boolean isWrite, long routedBy) {
        Reply<R> refusal = null;
        for (int slot : asked) {
            SlotFence fence = fences.get(slot);
            if (fence == null || isLost(slot, fence.state(), isWrite)) {
                refusal = moved("does not know whether it owns", routedBy + 1);
            } else if (fence.state() == State.MOVED) {
                return Optional.of(moved("does not own", fence.mapVersion()));
            } else if (refusal == null && isFrozen(fence.state(), isWrite)) {
                refusal = Reply.refused(Refusal.FROZEN, "the slot is being handed over to another partition");
            }
        }
        return Optional.ofNullable(refusal);
    }

    /** Returns whether a write would go unrecorded. */
    private boolean isLost(int slot, State state, boolean isWrite) {
        return isWrite && state == State.MOVING && !written.containsKey(slot);
    }

    private static boolean isFrozen(State state, boolean isWrite) {
        return state == State.IMPORTING || state == State.CLOSED || (state == State.FROZEN && isWrite);
    }

    private static <R> Reply<R> moved(String what, long version) {
        return new Reply.Refused<>(Refusal.MOVED, "the partition " + what + " the slot, which moves", version);
    }

    Reply<?> execute(FenceCommand<?> command) {
        if (command instanceof FenceCommand.SetFence set) {
            return Reply.done(entries.alone(() -> setHere(set)));
        }
        if (command instanceof FenceCommand.SetMinVersion set) {
            return Reply.done(minVersion.accumulateAndGet(set.mapVersion(), Math::max));
        }
        return Reply.done(entries.alone(() -> new Fences(ended, coordinators, fences)));
    }

    private boolean setHere(FenceCommand.SetFence command) {
        FenceCommand.To to = command.to();
        Map<Integer, Optional<SlotFence>> wanted = new LinkedHashMap<>();
        for (Map.Entry<Integer, Long> slot : command.slots().entrySet()) {
            SlotFence before = fences.get(slot.getKey());
            State next = to.state();
            SlotFence after = next == null ? null : new SlotFence(next, to.move(), slot.getValue(), to.mapVersion());
            boolean isExpected = before == null
                    ? command.from().orNone()
                    : before.move().equals(to.move()) && command.from().states().contains(before.state());
            if (isExpected) {
                wanted.put(slot.getKey(), Optional.ofNullable(after));
            } else if (!Optional.ofNullable(before).equals(Optional.ofNullable(after))) {
                return false;
            }
        }
        if (command.coordinator() < coordinators.getOrDefault(to.move(), ended)) {
            return false;
        }
        if (command.slots().isEmpty() && to.state() == null) {
            ended = Math.max(ended, command.coordinator());
            coordinators.remove(to.move());
        } else {
            coordinators.put(to.move(), command.coordinator());
        }
        wanted.forEach(this::put);
        return true;
    }

    private void put(int slot, Optional<SlotFence> next) {
        SlotFence before = next.isPresent() ? fences.put(slot, next.get()) : fences.remove(slot);
        State state = next.map(SlotFence::state).orElse(null);
        if (state == State.MOVING && (before == null || !KEEPS_NOTES.contains(before.state()))) {
            written.put(slot, ConcurrentHashMap.newKeySet());
        } else if (state != State.MOVING && !KEEPS_NOTES.contains(state)) {
            written.remove(slot);
        }
    }

    /** Copies the fences, as into a file. Called with all slots locked. */
    void copyTo(EmbeddedFences others) {
        others.fences.putAll(fences);
        written.forEach((slot, keys) -> {
            Set<EncodedKey> copy = ConcurrentHashMap.newKeySet();
            copy.addAll(keys);
            others.written.put(slot, copy);
        });
        others.coordinators.putAll(coordinators);
        others.ended = ended;
        others.minVersion.set(minVersion.get());
    }
}
