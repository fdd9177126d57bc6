// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.MovePhase;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.partition.FeedCommand;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.FenceCommand.SetFence;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.SlotTransfer;
import io.keyslot.client.partition.SlotTransfer.Dirty;
import io.keyslot.client.partition.SlotTransfer.Guard;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Slices;
import io.keyslot.client.stored.SlotFence.State;
import io.keyslot.cluster.move.MapStore.Stored;
import io.keyslot.slot.SlotSet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The cutover of slots after the first copy, chunk by chunk. For one thread.
 * <ol>
 *   <li>Catch up: copy the keys that were written since, while writes are possible. The source forgets dirty keys
 *       before they are read, so that a write in between marks its key as dirty again.
 *   <li>Freeze the slots, and copy the last dirty keys. No write is possible any more, so the target has all data. The
 *       arrival is appended to its feeds.
 *   <li>Cut over: close the source for reads and change the map, which is the commit, at the same time; when both are
 *       done, notify the target and then the source. So two partitions never own a slot at the same time.
 *   <li>Settle, if the outcome of the commit was unknown: find it out, and set the fences accordingly.
 * </ol>
 *
 * <p>Writes wait from the second step on, reads during the third. Slots are frozen only if the last copy before took no
 * longer than writes may wait, which is {@link #LONGEST_FREEZE} at most; otherwise it is tried again with fewer slots.
 * Reads wait for {@link #LONGEST_CLOSED} at most: if the catalogue has not answered by then, the source is opened for
 * reads again, and neither side is notified before the outcome of the commit is known.
 */
final class Cutover {
    /** Slots are frozen at first only if the copy before was not longer. */
    static final Duration FIRST_FREEZE = Duration.ofMillis(50);

    /** The longest freeze before the map is changed, whatever is written. */
    static final Duration LONGEST_FREEZE = Duration.ofSeconds(1);

    /** The longest time without reads because of a catalogue that does not answer. */
    static final Duration LONGEST_CLOSED = Duration.ofMillis(20);

    /** The most slots of a chunk. All of them wait for a cutover, and each chunk is a map that all clients adopt. */
    private static final int MOST_SLOTS = 64;

    /** The first chunk is one slot, because the first cutover of a process is the slowest. */
    private static final int GROWTH = 4;

    /** The attempts to freeze before a freeze may take twice as long. */
    private static final int ATTEMPTS_TO_FREEZE = 4;

    /** The pause between freezes of the longest length, if several of them did not succeed. */
    private static final Duration BETWEEN_LONG_FREEZES = Duration.ofSeconds(30);

    /** With fewer dirty keys than this, the rest is left for the freeze. */
    private static final int FEW_KEYS = 100;

    private static final int MOST_ROUNDS = 100;
    private static final int MOST_KEYS_OF_A_SLOT = 500;
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

    /** No partition has this name, so readers do not wait for the feed of a lost partition: it is a gap. */
    private static final String NOWHERE = "?";

    /** The longest time to find out whether an attempted change was made, while writes wait. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(10);

    /** Attempts without a pause. The usual cause of a failure is a concurrent change of the map. */
    private static final int ATTEMPTS_AT_ONCE = 3;

    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(20);

    private final Move move;
    private final Side source;
    private final Side target;
    private final MoveMap map;
    private final SlotCopy copy;
    private final SlotCopy last;
    private final SlotFencing fencing;
    private final MoveTime time;
    private final MoveLog log;

    /** {@code copy} copies at the pace of the move while writes are possible, {@code last} copies at full speed. */
    Cutover(
            Move move,
            Side source,
            Side target,
            MoveMap map,
            SlotCopy copy,
            SlotCopy last,
            MoveTime time,
            MoveLog log) {
        this.move = move;
        this.source = source;
        this.target = target;
        this.map = map;
        this.copy = copy;
        this.last = last;
        this.fencing = new SlotFencing(move.id(), map.number());
        this.time = time;
        this.log = log;
    }

    /** Makes the target the owner of all these slots; {@code check} is called after each chunk. */
    void run(SlotSet slots, Runnable check) {
        Duration unused = catchUp(slots, copy);
        SlotSet left = slots;
        int size = 1;
        while (!left.isEmpty()) {
            SlotSet done = handOver(left.lowest(size));
            size = move.drain() == null ? Math.min(MOST_SLOTS, done.size() * GROWTH) : SlotFencing.MOST_SLOTS;
            left = left.minus(done);
            log.slots(move.slots().size() - left.size(), move.slots().size());
            check.run();
        }
    }

    /** Hands over the wanted slots, or fewer if writes are faster than their copy. */
    private SlotSet handOver(SlotSet wanted) {
        SlotSet chunk = wanted;
        Duration allowed = FIRST_FREEZE;
        for (int attempt = 1; !isHandedOver(chunk, allowed); attempt++) {
            if (attempt % ATTEMPTS_TO_FREEZE == 0) {
                if (allowed.equals(LONGEST_FREEZE)) {
                    rest(chunk);
                }
                Duration twice = allowed.multipliedBy(2);
                allowed = twice.compareTo(LONGEST_FREEZE) < 0 ? twice : LONGEST_FREEZE;
            }
            chunk = chunk.lowest(Math.max(1, chunk.size() / 2));
        }
        return chunk;
    }

    /** The longest freeze did not suffice: reports it and pauses. An operator has to pause writers or the move. */
    private void rest(SlotSet chunk) {
        log.trouble("more is written to slots %s than can be copied while writes wait for %d ms; tried again every %d s"
                .formatted(chunk, LONGEST_FREEZE.toMillis(), BETWEEN_LONG_FREEZES.toSeconds()));
        time.pause(BETWEEN_LONG_FREEZES);
        Move unused = map.look(MovePhase.MOVING);
    }

    /** Copies the dirty keys until few are left; returns how long the last round took, as a copy in a freeze would. */
    private Duration catchUp(SlotSet slots, SlotCopy by) {
        long begin = time.nanos();
        for (int round = 0; copyWritten(slots, by) >= FEW_KEYS && round < MOST_ROUNDS; round++) {
            begin = time.nanos();
        }
        return time.since(begin);
    }

    /** Copies the dirty keys once; returns their number. */
    private long copyWritten(SlotSet slots, SlotCopy by) {
        Guard guard = guard(State.MOVING);
        long count = 0;
        for (List<Integer> some : Slices.of(slots.stream().boxed().toList(), SlotTransfer.MOST_SLOTS)) {
            List<Dirty> written = known(source.ask(new SlotTransfer.ReadDirty(guard, some, MOST_KEYS_OF_A_SLOT)));
            forget(guard, written);
            List<EncodedKey> keys = keysOf(written);
            by.keys(keys);
            count += keys.size();
        }
        log.dirty(count);
        return count;
    }

    private Guard guard(State state) {
        return new Guard(state, move.id(), map.number());
    }

    private List<Dirty> known(List<Dirty> written) {
        if (written.stream().anyMatch(dirty -> !dirty.isKnown())) {
            throw MoveTrouble.lost(source + " does not know any more what was written: all is copied again");
        }
        return written;
    }

    private List<EncodedKey> keysOf(List<Dirty> written) {
        return written.stream()
                .flatMap(dirty -> dirty.keys().stream())
                .filter(move::copies)
                .toList();
    }

    private void forget(Guard guard, List<Dirty> written) {
        List<SlotTransfer.ForgetDirty> commands = written.stream()
                .map(dirty -> new SlotTransfer.ForgetDirty(guard, dirty.slot(), dirty.keys()))
                .toList();
        List<CompletableFuture<Reply<Boolean>>> sent =
                commands.stream().map(source::send).toList();
        for (int i = 0; i < commands.size(); i++) {
            if (!source.take(commands.get(i), sent.get(i))) {
                throw MoveTrouble.lost(source + " does not fence these slots for this coordinator any more");
            }
        }
    }

    /**
     * Catches up, freezes the slots, copies the last dirty keys and cuts over. Returns false, with the slots unfrozen, if
     * writes are faster than the copy.
     */
    private boolean isHandedOver(SlotSet chunk, Duration allowed) {
        Duration unusedPause = catchUp(chunk, copy);
        if (catchUp(chunk, last).compareTo(allowed) > 0) {
            return false;
        }
        MoveMap.Ready commit = map.prepare(reason(chunk), content -> content.commit(move.id(), chunk));
        PartitionMap before = commit.before();
        long unusedCount = copyWritten(chunk, last); // what was written while the change was prepared
        long frozenAt = time.nanos();
        // All are in flight together: when the second is answered, the first has stopped writes.
        SlotFencing.Sent frozen =
                fencing.send(source, chunk, From.any(State.MOVING, State.FROZEN), State.FROZEN, before);
        SlotTransfer.ReadDirty look = new SlotTransfer.ReadDirty(
                guard(State.FROZEN), chunk.stream().boxed().toList(), MOST_KEYS_OF_A_SLOT);
        CompletableFuture<Reply<List<Dirty>>> looked = source.send(look);
        FeedCommand.ReadEnds askEnds = new FeedCommand.ReadEnds();
        CompletableFuture<Reply<FeedCommand.Ends>> askedEnds = source.send(askEnds);
        SlotFencing.Sent waiting = isWaiting(chunk, before);
        boolean isFrozenFirst = frozen.await();
        List<Dirty> written = known(isFrozenFirst ? source.take(look, looked) : source.ask(look));
        FeedCommand.Ends ends = isFrozenFirst ? source.take(askEnds, askedEnds) : source.ask(askEnds);
        boolean unused = waiting.await();
        if (written.stream().anyMatch(dirty -> dirty.keys().size() >= MOST_KEYS_OF_A_SLOT)) {
            fencing.set(source, chunk, From.any(State.FROZEN), State.MOVING, before);
            log.paused(time.since(frozenAt), Duration.ZERO);
            return false;
        }
        if (!written.isEmpty()) {
            last.keys(keysOf(written)); // not forgotten: no key becomes dirty any more
            unused = isWaiting(chunk, before).await();
        }
        appendArrival(ends, before);
        cutOver(chunk, commit, frozenAt);
        return true;
    }

    /**
     * Appends a change that announces the slots to the feeds of the target, before the target accepts a write of them. A
     * reader that finds it first reads the source up to its end. A lost source has no end to read up to: the reader then
     * reports a gap.
     */
    private void appendArrival(FeedCommand.Ends ends, PartitionMap before) {
        String origin = move.from().toString();
        FeedCommand.Ends arrived = ends;
        if (before.partition(move.from()).stream().anyMatch(MappedPartition::isLost)) {
            origin = NOWHERE;
            arrived = new FeedCommand.Ends(
                    0,
                    target.ask(new FeedCommand.Describe()).stream()
                            .map(feed -> new FeedCommand.End(feed.name(), "0-0"))
                            .toList());
        }
        if (!arrived.all().isEmpty()) {
            boolean unused = target.ask(new FeedCommand.AppendArrival(origin, arrived));
        }
    }

    private static String reason(SlotSet chunk) {
        return chunk.size() <= MOST_SLOTS ? "commit " + chunk : "commit %d slots".formatted(chunk.size());
    }

    /** Checks that the target still has all the data: if it loses data, it loses its fences too. */
    private SlotFencing.Sent isWaiting(SlotSet chunk, PartitionMap before) {
        return fencing.send(target, chunk, From.any(State.IMPORTING), State.IMPORTING, before);
    }

    /** Makes the target the owner of frozen slots. Takes longer only if the catalogue does not answer. */
    private void cutOver(SlotSet chunk, MoveMap.Ready commit, long frozenAt) {
        PartitionMap before = commit.before();
        PartitionMap after = commit.after();
        SetFence owned = fencing.command(chunk, From.any(State.IMPORTING), State.OWNED, after);
        SetFence moved = fencing.command(chunk, From.any(State.CLOSED), State.MOVED, after);
        AtomicBoolean isDecided = new AtomicBoolean(); // to notify both sides, or to open the source again
        long closedAt = time.nanos();
        CompletableFuture<Boolean> closed = fencing.send(source, chunk, From.any(State.FROZEN), State.CLOSED, before)
                .isSet();
        CompletableFuture<Stored> stored = commit.prepared().store();
        // On the thread of the last answer; the target first, because calls wait for it, and none waits for the source.
        CompletableFuture<Boolean> notified = closed.thenCombine(
                        stored, (isClosed, storing) -> isClosed && storing == Stored.DONE)
                .thenCompose(isSafe -> isSafe && isDecided.compareAndSet(false, true)
                        ? SlotFencing.Sent.of(target, owned)
                                .isSet()
                                .thenCombine(SlotFencing.Sent.of(source, moved).isSet(), Boolean::logicalAnd)
                        : CompletableFuture.completedFuture(false));
        time.waiter().awaitDone(notified, Deadline.after(time.ticker(), LONGEST_CLOSED));
        boolean isOpened = isDecided.compareAndSet(false, true);
        if (isOpened) {
            boolean unused = fencing.send(source, chunk, From.any(State.FROZEN, State.CLOSED), State.FROZEN, before)
                    .await();
        }
        boolean isNotified = !isOpened && within(notified, false);
        Duration withoutReads = time.since(closedAt);
        if (!isOpened || within(stored, Stored.UNKNOWN) == Stored.DONE) {
            map.made(commit);
        } else {
            after = committed(chunk, before, frozenAt);
        }
        if (!isNotified) {
            settle(chunk, after);
        }
        log.paused(time.since(frozenAt), withoutReads);
    }

    private <T> T within(CompletableFuture<T> answer, T otherwise) {
        return time.await(answer, LONGEST_ANSWER, () -> otherwise);
    }

    /**
     * Changes the owner after an attempt with an unknown outcome. From the first attempt on only the catalogue knows
     * whether the change was made, and until it answers neither side may be written. Another coordinator could not know
     * more, so this one continues to ask.
     */
    private PartitionMap committed(SlotSet chunk, PartitionMap before, long frozenAt) {
        for (int attempt = 2; true; attempt++) {
            boolean unused = isWaiting(chunk, before).await();
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
    void settle(SlotSet committed, PartitionMap after) {
        fencing.set(
                source,
                committed,
                From.any(State.FROZEN, State.CLOSED, State.MOVING, State.MOVED).orAbsent(),
                State.MOVED,
                after);
        fencing.set(target, committed, From.any(State.IMPORTING, State.OWNED).orAbsent(), State.OWNED, after);
    }
}
