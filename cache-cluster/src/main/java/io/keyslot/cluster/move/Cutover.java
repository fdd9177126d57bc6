// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.FenceCommand;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Dirty;
import io.keyslot.client.partition.SlotTransfer.Guard;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.copy.MoveTrouble;
import io.keyslot.cluster.copy.Side;
import io.keyslot.cluster.copy.SlotCopy;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The cutover of slots after the first copy: copies the keys that were written since, and changes the owner. For one
 * thread.
 *
 * <p>The order guarantees that a slot is complete at its owner. The source forgets dirty keys before they are read, so
 * that a write in between marks its key as dirty again. Slots are frozen either at a moment in which no key is dirty,
 * or before the last dirty keys are read, after which no write is possible; so the target has all data. Then the map is
 * changed, which is the commit, while the source is closed for reads. Only then the target is notified, so two
 * partitions never own a slot at the same time.
 */
final class Cutover {
    /** The longest time to find out whether an attempted change was made, while writes wait. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(10);

    /** Attempts without a pause. The usual cause of a failure is a concurrent change of the map. */
    private static final int ATTEMPTS_AT_ONCE = 3;

    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(20);

    /** The pause between freezes of the longest length, if several of them did not succeed. */
    private static final Duration BETWEEN_LONG_FREEZES = Duration.ofSeconds(30);

    /** With fewer dirty keys than this, the rest is left for the freeze. */
    private static final int FEW_KEYS = 100;

    private static final int MOST_ROUNDS = 100;
    private static final int MOST_KEYS_OF_A_SLOT = 500;

    /** The most attempts to freeze at a moment without dirty keys. */
    private static final int ATTEMPTS_TO_FREEZE = 5;

    private static final int MOST_REHEARSALS = 30;
    private static final int REHEARSED_SLOTS = 64;
    private static final Duration LONGEST_REHEARSAL = Duration.ofSeconds(1);

    /** A rehearsal within this time is the last. */
    private static final Duration QUICK = Duration.ofMillis(4);

    private final Side source;
    private final Side target;
    private final MoveMap map;
    private final SlotCopy copy;
    private final SlotCopy last;
    private final MoveTime time;
    private final MoveLog log;

    /** {@code copy} copies at the pace of the move while writes are possible, {@code last} copies at full speed. */
    Cutover(Side source, Side target, MoveMap map, SlotCopy copy, SlotCopy last, MoveLog log) {
        this.source = source;
        this.target = target;
        this.map = map;
        this.copy = copy;
        this.last = last;
        this.time = copy.time();
        this.log = log;
    }

    /** Copies keys that were written since the copy began, until few are left. */
    void drain(Move move, SlotSet slots) {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            long left = copyWritten(guard(move, State.MOVING), slots, copy);
            log.dirty(left);
            if (left < FEW_KEYS) {
                return;
            }
        }
    }

    private Guard guard(Move move, State state) {
        return new Guard(state, move.id(), map.number());
    }

    /** Copies the dirty keys once; returns their number. */
    private long copyWritten(Guard guard, SlotSet slots, SlotCopy by) {
        long count = 0;
        for (List<Integer> some : Slices.of(slots.stream().boxed().toList(), SlotTransfer.MOST_SLOTS)) {
            SlotTransfer.ReadDirty look = new SlotTransfer.ReadDirty(guard, some, MOST_KEYS_OF_A_SLOT);
            count += copy(guard, source.ask(look), by);
        }
        return count;
    }

    /** Requests the dirty keys of slots that fit one command; the answer is awaited later. */
    private Look look(Guard guard, SlotSet slots) {
        SlotTransfer.ReadDirty command =
                new SlotTransfer.ReadDirty(guard, slots.stream().boxed().toList(), MOST_KEYS_OF_A_SLOT);
        return new Look(command, source.send(command));
    }

    private record Look(SlotTransfer.ReadDirty command, CompletableFuture<Reply<List<Dirty>>> sent) {}

    private List<Dirty> seen(Look look) {
        return known(source.take(look.command(), look.sent()));
    }

    private List<Dirty> known(List<Dirty> written) {
        if (written.stream().anyMatch(dirty -> !dirty.isKnown())) {
            throw MoveTrouble.lost(source + " does not know any more what was written: all is copied again");
        }
        return written;
    }

    private long copy(Guard guard, List<Dirty> written, SlotCopy by) {
        List<EncodedKey> keys = keysOf(known(written));
        forget(guard, written);
        by.keys(keys);
        return keys.size();
    }

    private static List<EncodedKey> keysOf(List<Dirty> written) {
        return written.stream().flatMap(dirty -> dirty.keys().stream()).toList();
    }

    /** Checks that the target still has all the data: if it loses data, it loses its fences too. */
    private SlotFencing.Sent isWaiting(SlotFencing fencing, SlotSet chunk, PartitionMap before) {
        return fencing.send(target, chunk, From.any(State.IMPORTING), State.IMPORTING, before);
    }

    private void forget(Guard guard, List<Dirty> written) {
        List<CompletableFuture<Reply<Boolean>>> sent = new ArrayList<>();
        List<SlotTransfer.ForgetDirty> commands = new ArrayList<>();
        for (Dirty dirty : written) {
            SlotTransfer.ForgetDirty command = new SlotTransfer.ForgetDirty(guard, dirty.slot(), dirty.keys());
            commands.add(command);
            sent.add(source.send(command));
        }
        for (int i = 0; i < commands.size(); i++) {
            if (!source.take(commands.get(i), sent.get(i))) {
                throw MoveTrouble.lost(source + " does not fence these slots for this coordinator any more");
            }
        }
    }

    /** Makes the target the owner of the wanted slots, or of fewer if writes are faster than their copy. */
    Chunk handOver(Move move, SlotSet wanted) {
        SlotSet chunk = wanted;
        FreezeLength length = FreezeLength.first();
        while (true) {
            Duration copied = copyLast(move, chunk, length.allowed());
            boolean isQuick = copied.compareTo(length.allowed()) <= 0;
            if (isQuick && isHandedOver(move, chunk, length.allowed())) {
                return new Chunk(chunk, log.now().pauses().last());
            }
            length = length.after(copied);
            if (length.isOver()) {
                rest(chunk);
            }
            chunk = chunk.lowest(Math.max(1, chunk.size() / 2));
        }
    }

    /** Copies the last dirty keys and returns the duration, which a copy during a freeze would take too. */
    private Duration copyLast(Move move, SlotSet chunk, Duration allowed) {
        long begin = time.nanos();
        long left = copyLast(move, chunk, copy);
        Duration politely = time.since(begin);
        if (left < FEW_KEYS && politely.compareTo(allowed) <= 0) {
            return politely;
        }
        drain(move, chunk);
        long again = time.nanos();
        long unusedCount = copyLast(move, chunk, last);
        return time.since(again);
    }

    private long copyLast(Move move, SlotSet chunk, SlotCopy by) {
        long left = copyWritten(guard(move, State.MOVING), chunk, by);
        log.dirty(left);
        return left;
    }

    /** The longest freeze did not suffice: reports it and pauses. An operator has to pause writers or the move. */
    private void rest(SlotSet chunk) {
        log.trouble("more is written to slots %s than can be copied while writes wait for %d ms; tried again every %d s"
                .formatted(chunk, FreezeLength.LONGEST.toMillis(), BETWEEN_LONG_FREEZES.toSeconds()));
        time.pause(BETWEEN_LONG_FREEZES);
        Move unused = map.look(MovePhase.MOVING);
    }

    record Chunk(SlotSet slots, Duration pause) {}

    private record Frozen(long sinceNanos, OwnerChange change) {}

    private boolean isHandedOver(Move move, SlotSet chunk, Duration allowed) {
        SlotFencing fencing = new SlotFencing(move.id(), map.number());
        MoveMap.Ready commit = map.prepare(reason(chunk), content -> content.commit(move.id(), chunk));
        Optional<Frozen> frozen = frozenUnwritten(move, chunk, fencing, commit)
                .or(() -> frozenAndCopied(move, chunk, allowed, fencing, commit));
        frozen.ifPresent(begun -> finish(move, chunk, begun, commit));
        return frozen.isPresent();
    }

    /** Freezes slots if none of their keys is dirty, which the source checks atomically. Empty if writes continue. */
    private Optional<Frozen> frozenUnwritten(Move move, SlotSet chunk, SlotFencing fencing, MoveMap.Ready commit) {
        From unwritten = From.any(State.MOVING, State.FROZEN).andUnwritten();
        for (int attempt = 0; attempt < ATTEMPTS_TO_FREEZE; attempt++) {
            OwnerChange change = new OwnerChange(fencing, source, target, time, chunk, commit);
            long unusedCount = copyWritten(guard(move, State.MOVING), chunk, last);
            long begin = time.nanos();
            SlotFencing.Sent freezing = fencing.send(source, chunk, unwritten, State.FROZEN, commit.before());
            SlotFencing.Sent waiting = isWaiting(fencing, chunk, commit.before());
            if (change.hasBegunWhen(freezing.isSet().thenCombine(waiting.isSet(), Boolean::logicalAnd))) {
                return Optional.of(new Frozen(begin, change));
            }
            boolean isFrozen = freezing.isTaken();
            boolean unused = waiting.await();
            if (isFrozen) {
                return Optional.of(new Frozen(begin, change));
            }
        }
        return Optional.empty();
    }

    /** Freezes slots and copies the last dirty keys; if that takes too long, unfreezes the slots and returns empty. */
    private Optional<Frozen> frozenAndCopied(
            Move move, SlotSet chunk, Duration allowed, SlotFencing fencing, MoveMap.Ready commit) {
        PartitionMap before = commit.before();
        OwnerChange change = new OwnerChange(fencing, source, target, time, chunk, commit);
        long frozenAt = time.nanos();
        // All three are in flight together: when the second is answered, the first has stopped writes.
        SlotFencing.Sent frozen =
                fencing.send(source, chunk, From.any(State.MOVING, State.FROZEN), State.FROZEN, before);
        Look look = look(guard(move, State.FROZEN), chunk);
        SlotFencing.Sent waiting = isWaiting(fencing, chunk, before);
        List<Dirty> written = seen(frozen.await() ? look : look(guard(move, State.FROZEN), chunk));
        boolean unused = waiting.await();
        if (!written.isEmpty()) {
            if (!isRestCopied(look, written, chunk, () -> time.since(frozenAt).compareTo(allowed) > 0)) {
                fencing.set(source, chunk, From.any(State.FROZEN), State.MOVING, before);
                log.paused(time.since(frozenAt), Duration.ZERO);
                return Optional.empty();
            }
            unused = isWaiting(fencing, chunk, before).await();
        }
        return Optional.of(new Frozen(frozenAt, change));
    }

    /**
     * Copies the keys that were written before the freeze. No key becomes dirty any more, so a complete answer need not
     * be forgotten. If the answer is at its limit, the rest is read, as long as there is time.
     */
    private boolean isRestCopied(Look look, List<Dirty> written, SlotSet chunk, BooleanSupplier isOver) {
        if (written.stream().allMatch(dirty -> dirty.keys().size() < MOST_KEYS_OF_A_SLOT)) {
            last.keys(keysOf(written));
            return true;
        }
        Guard guard = look.command().guard();
        long left = copy(guard, written, last);
        while (left > 0) {
            if (isOver.getAsBoolean()) {
                return false;
            }
            left = copy(guard, seen(look(guard, chunk)), last);
        }
        return true;
    }

    /**
     * Runs the parts of a cutover that change nothing, because the first calls of a process take ten times as long, and
     * here no client waits. A partition that is lost meanwhile is ignored.
     */
    void rehearse(Move move, SlotSet slots) {
        long begin = time.nanos();
        boolean isOver = false;
        for (int i = 0; i < MOST_REHEARSALS && !isOver; i++) {
            long before = time.nanos();
            isOver = !isRehearsed(move, slots.lowest(REHEARSED_SLOTS))
                    || time.since(before).compareTo(QUICK) <= 0
                    || time.since(begin).compareTo(LONGEST_REHEARSAL) > 0;
        }
    }

    private boolean isRehearsed(Move move, SlotSet chunk) {
        SlotFencing fencing = new SlotFencing(move.id(), map.number());
        try {
            PartitionMap now = map.read();
            MoveMap.Ready unusedCommit = map.prepare(reason(chunk), content -> content.commit(move.id(), chunk));
            FenceCommand.SetFence close = fencing.command(chunk, From.any(State.FROZEN), State.CLOSED, now);
            SlotFencing.Sent closing = SlotFencing.Sent.of(source, close); // fails, because nothing is frozen
            Look look = look(guard(move, State.MOVING), chunk);
            SlotFencing.Sent waiting = isWaiting(fencing, chunk, now);
            boolean unusedAnswer = source.take(close, closing.reply());
            List<Dirty> unusedKeys = seen(look);
            return waiting.await();
        } catch (MoveTrouble trouble) {
            if (trouble.kind() != MoveTrouble.Kind.LOST) {
                throw trouble;
            }
            return false;
        }
    }

    private static String reason(SlotSet chunk) {
        return "commit " + chunk;
    }

    /** Makes the target the owner. Takes longer only if the catalogue does not answer. */
    private void finish(Move move, SlotSet chunk, Frozen frozen, MoveMap.Ready commit) {
        OwnerChange change = frozen.change();
        OwnerChange.Outcome outcome = change.run();
        if (outcome == OwnerChange.Outcome.DONE) {
            log.paused(Duration.ofNanos(change.publishedNanos() - frozen.sinceNanos()), change.closed());
            map.made(commit);
            return;
        }
        PartitionMap after = commit.after();
        if (outcome == OwnerChange.Outcome.CHANGED) {
            map.made(commit);
        } else {
            after = committed(move, chunk, commit.before(), frozen.sinceNanos());
        }
        long begin = time.nanos();
        settle(move, chunk, after);
        Duration settling = time.since(begin);
        log.paused(
                time.since(frozen.sinceNanos()), settling.compareTo(change.closed()) > 0 ? settling : change.closed());
    }

    /**
     * Changes the owner after an attempt with an unknown outcome. From the first attempt on only the catalogue knows
     * whether the change was made, and until it answers neither side may be written. Another coordinator could not know
     * more, so this one continues to ask.
     */
    private PartitionMap committed(Move move, SlotSet chunk, PartitionMap before, long frozenAt) {
        for (int attempt = 2; true; attempt++) {
            boolean unused = isWaiting(new SlotFencing(move.id(), map.number()), chunk, before)
                    .await();
            Optional<PartitionMap> after = map.tryToChange(
                    reason(chunk),
                    content -> content.commit(move.id(), chunk),
                    now -> now.committed().containsAll(chunk));
            if (after.isPresent()) {
                return after.get();
            }
            Duration frozen = time.since(frozenAt);
            if (frozen.compareTo(LONGEST_SILENCE) > 0) {
                throw MoveTrouble.lost("the map did not answer for " + LONGEST_SILENCE);
            }
            if (attempt > ATTEMPTS_AT_ONCE) {
                log.trouble("the map does not say whether %s is the owner of %s: writes there wait since %d ms"
                        .formatted(move.to(), chunk, frozen.toMillis()));
                time.pause(BETWEEN_QUESTIONS);
            }
        }
    }

    /** Sets the fences for an owner that is already in the map. Either side may have lost its fences. */
    void settle(Move move, SlotSet committed, PartitionMap after) {
        SlotFencing fencing = new SlotFencing(move.id(), map.number());
        fencing.set(
                source,
                committed,
                From.any(State.FROZEN, State.CLOSED, State.MOVING, State.MOVED).orAbsent(),
                State.MOVED,
                after);
        fencing.set(target, committed, From.any(State.IMPORTING, State.OWNED).orAbsent(), State.OWNED, after);
    }
}
