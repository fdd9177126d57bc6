// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static io.keyslot.client.stored.SlotFence.State.CLOSED;
import static io.keyslot.client.stored.SlotFence.State.FROZEN;
import static io.keyslot.client.stored.SlotFence.State.IMPORTING;
import static io.keyslot.client.stored.SlotFence.State.MOVED;
import static io.keyslot.client.stored.SlotFence.State.MOVING;
import static io.keyslot.client.stored.SlotFence.State.OWNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.FenceCommand.Fences;
import io.keyslot.client.partition.FenceCommand.From;
import io.keyslot.client.partition.FenceCommand.ReadFences;
import io.keyslot.client.partition.FenceCommand.SetFence;
import io.keyslot.client.partition.FenceCommand.SetMinVersion;
import io.keyslot.client.partition.FenceCommand.To;
import io.keyslot.client.stored.AggregateOperation;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Expiry;
import io.keyslot.client.stored.GroupHome;
import io.keyslot.client.stored.KeySlots;
import io.keyslot.client.stored.SlotFence;
import io.keyslot.client.stored.SlotFence.State;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a partition does with commands about slots that are on their way, for every kind of command and every state. */
public abstract class FenceContract {
    private static final String MOVE = "m1";
    private static final long NEWER = 9;
    private static final EncodedKey KEY = EncodedKey.of("order:{customer:7}1");
    private static final EncodedKey OTHER = EncodedKey.of("order:{customer:8}1");
    private static final GroupHome HOME = GroupHome.of(KEY);
    private static final List<@Nullable State> STATES =
            Arrays.asList(null, MOVING, MOVING, FROZEN, FROZEN, CLOSED, MOVED, IMPORTING, OWNED);
    private static final byte[] LARGE = new byte[3 * 1024 * 1024];

    private final Route routed = Route.fenced(1, slots());

    /** Returns a connection, the same for a whole test. */
    protected abstract PartitionConnection connection();

    /** Empties the partition, fences and all. */
    protected abstract void empty();

    /** Returns what was noted as written in a slot, the sentinel left out; null if nothing is noted there. */
    protected abstract @Nullable Set<EncodedKey> written(int slot);

    /** Returns which slots keys are in. */
    protected KeySlots slots() {
        return KeySlots.HASHED;
    }

    private int slotOf(EncodedKey key) {
        return slots().slotOf(key);
    }

    @BeforeEach
    void begin() {
        empty();
    }

    private <R> Reply<R> send(Command<R> command, Route route) {
        return connection()
                .send(command, route, Patience.UNLIMITED)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    private <R> Reply<R> fenced(Command<R> command) {
        return send(command, routed);
    }

    private <R> R done(Reply<R> reply) {
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw new AssertionError("Not done: " + reply);
    }

    private static Reply.Refused<?> refused(Reply<?> reply) {
        if (reply instanceof Reply.Refused<?> refused) {
            return refused;
        }
        throw new AssertionError("Not refused: " + reply);
    }

    private boolean set(From from, @Nullable State to, int... slots) {
        return ask(from, new To(to, MOVE, to == MOVED ? NEWER : 0), 1, slots);
    }

    private boolean ask(From from, To to, long coordinator, int... slots) {
        List<Integer> all = Arrays.stream(slots).boxed().toList();
        return done(send(new SetFence(AllSlots.numbered(all, 5), from, to, coordinator), Route.ANY));
    }

    private Fences fences() {
        return done(send(new ReadFences(), Route.ANY));
    }

    private void put(EncodedKey key, Route route) {
        done(send(put(key, new byte[] {1}), route));
    }

    /** Returns the stamp of the entry, whoever owns its slot. */
    private long stamp() {
        return done(send(new Command.Get(KEY), Route.plain(1))).stamp();
    }

    private static Command.Put put(EncodedKey key, byte[] value) {
        return new Command.Put(key, Envelope.of(3, value), Expiry.NEVER, Expiry.NEVER);
    }

    /** Enough entries to be stored together that keep the expiry of what they replace. */
    private static Command<?> batchOfTwoSlots() {
        return new Command.PutAll(Stream.of(KEY, OTHER)
                .flatMap(first -> Stream.of("", "2", "3", "4").map(end -> EncodedKey.of(first.text() + end)))
                .map(key -> new Command.Put(key, Envelope.of(5, new byte[] {1}), Expiry.NEVER, Expiry.UNCHANGED))
                .toList());
    }

    static Stream<Command<?>> reads() {
        return Stream.of(
                new Command.Get(KEY),
                new Command.GetAll(List.of(KEY, OTHER)),
                new Command.Describe(KEY),
                new GroupCommand(HOME, 0, List.of(), List.of(new GroupStep.ReadEntry(KEY)), 4),
                new GroupListing.Rows(HOME, new GroupListing.Span(Element.of("a"), Element.of("z"), 10, false)),
                new GroupListing.Names(HOME, new GroupListing.Span(Element.of("a"), Element.of("z"), 10, false)),
                new GroupListing.Aggregates(HOME),
                new GroupListing.Weigh(HOME));
    }

    static Stream<Command<?>> writes() {
        Envelope one = Envelope.of(5, new byte[] {1});
        return Stream.of(
                new Command.GetAndExpire(KEY, Expiry.afterMillis(60_000)),
                put(KEY, new byte[] {2}),
                put(KEY, LARGE),
                new Command.Put(KEY, one, Expiry.NEVER, Expiry.UNCHANGED),
                new Command.Put(KEY, one, Expiry.afterMillis(60_000), Expiry.NEVER),
                put(KEY.indexed(), new byte[] {2}),
                new Command.PutAll(List.of(put(KEY, new byte[] {2}), put(OTHER, new byte[] {2}))),
                batchOfTwoSlots(),
                new Command.CompareAndSet(KEY, Command.ABSENT, one, Expiry.NEVER),
                new Command.CompareAndSet(KEY, 3, one, Expiry.NEVER),
                new Command.CompareAndSet(KEY, 3, Envelope.of(5, LARGE), Expiry.NEVER),
                new Command.CompareAndRemove(KEY, 3),
                new Command.CompareAndExpire(KEY, 3, Expiry.afterMillis(60_000)),
                new Command.Lease(KEY, 6, Expiry.afterMillis(60_000)),
                new Command.Claim(KEY, 3, 6, 1),
                new Command.Reserve(KEY, Command.Reserve.ANY, 6, 60_000),
                new Command.GiveBack(KEY, 3, 6, Expiry.NEVER),
                new Command.GetAndRemove(KEY),
                new Command.RemoveAll(List.of(KEY, OTHER)),
                new GroupCommand(
                        HOME, 0, List.of(), List.of(new GroupStep.PutEntry(KEY, one, Expiry.NEVER, Expiry.NEVER)), 4),
                new GroupCommand(HOME, 0, List.of(), List.of(new GroupStep.RemoveEntry(KEY)), 4),
                new GroupListing.Forget(HOME, List.of(HOME.nameOf(KEY))),
                new LockCommand.Lock(HOME, 11, Expiry.afterMillis(60_000)),
                new LockCommand.RenewLock(HOME, 11, Expiry.afterMillis(60_000)),
                new LockCommand.Unlock(HOME, 11));
    }

    private void inBothSlots(State state) {
        assertThat(set(From.NONE, state, slotOf(KEY), slotOf(OTHER))).isTrue();
    }

    /** A bulk command says for each item what became of it. */
    private static Reply<?> ofOne(Reply<?> reply) {
        return reply instanceof Reply.Done<?> done
                        && done.value() instanceof List<?> parts
                        && !parts.isEmpty()
                        && parts.get(0) instanceof Reply<?> first
                ? first
                : reply;
    }

    /** Every kind of command in every state, with whether it writes; first without a fence. */
    static Stream<Arguments> commandsInStates() {
        return STATES.stream()
                .distinct()
                .flatMap(state -> Stream.concat(
                        reads().map(command -> Arguments.of(state, command, false)),
                        writes().map(command -> Arguments.of(state, command, true))));
    }

    @ParameterizedTest
    @MethodSource("io.keyslot.client.partition.FenceContract#commandsInStates")
    void everyCommand_isDoneRefusedAndNoted_asTheStateSays(@Nullable State state, Command<?> command, boolean isWrite) {
        put(KEY, Route.plain(1));
        if (state != null) {
            inBothSlots(state);
        }

        Reply<?> reply = ofOne(fenced(command));

        if (state == MOVING || state == OWNED || (state == FROZEN && !isWrite)) {
            assertThat(reply).isInstanceOf(Reply.Done.class);
            Set<EncodedKey> written = written(slotOf(KEY));
            if (state == OWNED) {
                assertThat(written).isNull();
            } else if (!isWrite && state == MOVING) {
                assertThat(written).doesNotContain(KEY, HOME.index());
            } else if (stamp() != 3) {
                assertThat(written).contains(KEY);
            }
        } else {
            boolean hasMoved = state == null || state == MOVED;
            assertThat(refused(reply).refusal()).isEqualTo(hasMoved ? Refusal.MOVED : Refusal.FROZEN);
            if (hasMoved) {
                assertThat(refused(reply).mapVersion()).isEqualTo(state == null ? 2 : NEWER);
            }
            assertThat(stamp()).isEqualTo(3);
            assertThat(ofOne(send(command, Route.plain(1)))).isInstanceOf(Reply.Done.class); // not fenced
        }
    }

    @Nested
    class Notes {
        @Test
        void eachKey_isNotedInItsSlot() {
            inBothSlots(MOVING);

            done(fenced(new Command.RemoveAll(List.of(KEY, OTHER))));

            assertThat(written(slotOf(KEY))).contains(KEY).doesNotContain(OTHER);
            assertThat(written(slotOf(OTHER))).contains(OTHER).doesNotContain(KEY);
        }

        @Test
        void index_isNotedWithTheEntry() {
            inBothSlots(MOVING);

            put(KEY.indexed(), routed);

            assertThat(written(slotOf(KEY))).contains(KEY, HOME.index());
        }

        @Test
        void aggregate_isNotedWithItsStamps() {
            EncodedKey cart = HOME.keyOf(Element.of("cart:"));
            inBothSlots(MOVING);

            done(fenced(new GroupCommand(
                    HOME,
                    0,
                    List.of(),
                    List.of(new GroupStep.Apply(
                            cart, AggregateOperation.LIST_ADD_LAST, List.of(Element.of("1")), Expiry.NEVER)),
                    4)));

            assertThat(written(slotOf(KEY))).contains(cart).hasSizeGreaterThan(1);
        }

        @Test
        void oneSlotThatIsNotHere_refusesAllOfACommand() {
            assertThat(set(From.NONE, MOVING, slotOf(KEY))).isTrue();
            assertThat(set(From.NONE, FROZEN, slotOf(OTHER))).isTrue();

            assertThat(refused(fenced(new Command.RemoveAll(List.of(KEY, OTHER))))
                            .refusal())
                    .isEqualTo(Refusal.FROZEN);
            assertThat(written(slotOf(KEY))).isEmpty();
        }
    }

    @Nested
    class Setting {
        @Test
        void fences_areRead() {
            set(From.NONE, MOVING, 1, 2);
            set(From.any(MOVING), MOVED, 2);

            assertThat(fences())
                    .isEqualTo(new Fences(
                            0,
                            Map.of(MOVE, 1L),
                            Map.of(1, new SlotFence(MOVING, MOVE, 5, 0), 2, new SlotFence(MOVED, MOVE, 5, NEWER))));
        }

        @Test
        void slotInAnotherState_leavesAllAsTheyAre() {
            set(From.NONE, MOVING, 1);

            assertThat(set(From.any(MOVING), FROZEN, 1, 2)).isFalse();
            assertThat(set(From.NONE, IMPORTING, 1, 2)).isFalse();

            assertThat(fences().slots().get(1)).isEqualTo(new SlotFence(MOVING, MOVE, 5, 0));
            assertThat(fences().slots()).hasSize(1);
        }

        @Test
        void anotherMove_isRefused() {
            set(From.NONE, MOVING, 1);

            assertThat(ask(From.any(MOVING).orAbsent(), new To(FROZEN, "m2", 0), 1, 1))
                    .isFalse();
        }

        @Test
        void coordinatorWithALowerNumber_isRefused_alsoForSlotsWithoutFence() {
            ask(From.NONE, new To(MOVING, MOVE, 0), 7, 1);

            assertThat(ask(From.any(MOVING), new To(FROZEN, MOVE, 0), 6, 1)).isFalse();
            assertThat(ask(From.NONE, new To(IMPORTING, MOVE, 0), 6, 2)).isFalse();
            assertThat(ask(From.any(MOVING), new To(FROZEN, MOVE, 0), 8, 1)).isTrue();
            assertThat(fences().coordinator(MOVE)).isEqualTo(8);
        }

        @Test
        void movesAtTheSameTime_doNotRefuseEachOther() {
            ask(From.NONE, new To(MOVING, MOVE, 0), 7, 1);

            assertThat(ask(From.NONE, new To(MOVING, "m2", 0), 5, 2)).isTrue();
            assertThat(ask(From.any(MOVING), new To(FROZEN, MOVE, 0), 7, 1)).isTrue();
            assertThat(ask(From.any(MOVING), new To(FROZEN, "m2", 0), 4, 2)).isFalse();
        }

        @Test
        void lateCommandsOfAMoveThatHasEnded_areRefused_alsoIfItHasNoFences() {
            ask(From.NONE, new To(MOVING, MOVE, 0), 7, 1);
            ask(From.NONE, new To(MOVING, "m2", 0), 5, 2);
            ask(From.any(MOVING), new To(null, MOVE, 0), 7, 1);

            assertThat(ask(From.NONE, new To(null, MOVE, 0), 6)).isFalse();
            assertThat(ask(From.NONE, new To(null, MOVE, 0), 9)).isTrue();

            assertThat(fences())
                    .isEqualTo(new Fences(9, Map.of("m2", 5L), Map.of(2, new SlotFence(MOVING, "m2", 5, 0))));
            assertThat(ask(From.NONE, new To(IMPORTING, MOVE, 0), 8, 1)).isFalse();
            assertThat(ask(From.any(MOVING), new To(FROZEN, "m2", 0), 5, 2)).isTrue();
            assertThat(ask(From.NONE, new To(IMPORTING, "m3", 0), 8, 1)).isFalse();
            assertThat(ask(From.NONE, new To(IMPORTING, "m3", 0), 10, 1)).isTrue();
        }

        @ParameterizedTest
        @EnumSource(State.class)
        void repetition_changesNothing(State state) {
            assertThat(set(From.NONE, state, 1)).isTrue();

            assertThat(set(From.NONE, state, 1)).isTrue();
        }

        @Test
        void recovery_keepsWhatWasNoted_alsoIfItIsRepeated() {
            inBothSlots(MOVING);
            put(KEY, routed);
            set(From.any(MOVING), FROZEN, slotOf(KEY));
            assertThat(set(From.any(FROZEN), MOVING, slotOf(KEY))).isTrue();
            put(HOME.keyOf(Element.of("order:2")), routed);
            assertThat(set(From.any(FROZEN), MOVING, slotOf(KEY))).isTrue();

            assertThat(written(slotOf(KEY))).contains(KEY, HOME.keyOf(Element.of("order:2")));
        }
    }

    @Test
    void minVersion_onlyRises() {
        assertThat(done(connection().announce(1).join())).isTrue();
        assertThat(done(send(new SetMinVersion(0), Route.ANY))).isEqualTo(0);
        assertThat(done(send(new SetMinVersion(1), Route.ANY))).isEqualTo(1);
        assertThat(done(send(new SetMinVersion(0), Route.ANY))).isEqualTo(1);
    }

    @Test
    void scan_showsNoneOfIt() {
        inBothSlots(MOVING);
        put(KEY, routed);

        List<EncodedKey> listed = done(send(new Command.Scan(ScanPage.START, "", 1_000), Route.plain(1)))
                .keys();

        assertThat(listed).contains(KEY);
        assertThat(listed.stream().map(EncodedKey::text)).noneMatch(key -> key.startsWith("keyslot:"));
    }

    /** Generated steps of a coordinator and of clients, against what a fence is. */
    @Test
    void generatedSteps_areThoseOfTheModel() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Map<Integer, SlotFence> expected = new HashMap<>();
        Map<Integer, Set<EncodedKey>> noted = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            EncodedKey key = random.nextBoolean() ? KEY : OTHER;
            SlotFence fence = expected.get(slotOf(key));
            if (random.nextInt(3) == 0) {
                @Nullable State next = STATES.get(random.nextInt(STATES.size()));
                if ((next == FROZEN || next == CLOSED) && !noted.containsKey(slotOf(key))) {
                    next = MOVING;
                }
                From from = fence == null ? From.NONE : From.any(fence.state());
                assertThat(set(from, next, slotOf(key)))
                        .as("seed %s, step %s", seed, i)
                        .isTrue();
                note(noted, slotOf(key), fence == null ? null : fence.state(), next);
                expected.remove(slotOf(key));
                if (next != null) {
                    expected.put(slotOf(key), new SlotFence(next, MOVE, 5, next == MOVED ? NEWER : 0));
                }
            } else {
                boolean isWrite = random.nextBoolean();
                Command<?> command = isWrite ? put(key, new byte[] {1}) : new Command.Get(key);
                Reply<?> reply = fenced(command);
                State state = fence == null ? null : fence.state();
                boolean isDone = state == MOVING || state == OWNED || (state == FROZEN && !isWrite);
                assertThat(reply instanceof Reply.Done)
                        .as("seed %s, step %s", seed, i)
                        .isEqualTo(isDone);
                if (isDone && isWrite && state == MOVING) {
                    noted.computeIfAbsent(slotOf(key), slot -> new HashSet<>()).add(key);
                }
            }
            assertThat(fences().slots()).as("seed %s, step %s", seed, i).isEqualTo(expected);
            assertThat(written(slotOf(key))).as("seed %s, step %s", seed, i).isEqualTo(noted.get(slotOf(key)));
        }
    }

    private static void note(
            Map<Integer, Set<EncodedKey>> noted, int slot, @Nullable State before, @Nullable State next) {
        if (next == MOVING && before != FROZEN && before != CLOSED) {
            noted.put(slot, new HashSet<>());
        } else if (next != MOVING && next != FROZEN && next != CLOSED) {
            noted.remove(slot);
        }
    }
}
