// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTime;
import io.keyslot.client.concurrent.Timing;
import io.keyslot.client.map.FirstPlacements;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.MapDocument;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.client.register.Acceptor;
import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;
import io.keyslot.client.register.AcceptorState;
import io.keyslot.client.register.Ballot;
import io.keyslot.client.register.DecidedValue;
import io.keyslot.client.register.Generation;
import io.keyslot.client.register.Register;
import io.keyslot.client.register.RegisterValue;
import io.keyslot.client.register.Voters;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Three instances in this test, which may be silent before or behind what they do, and forget. */
class InstancesCatalogueTest extends CatalogueContract {
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final PartitionId P3 = new PartitionId("p3");
    private static final Set<PartitionId> ALL = Set.of(P1, P2, P3);

    private static final int FORGERIES = Integer.getInteger("tests.forgeries", 150);
    private static final long LATE_NANOS = Duration.ofMillis(700).toNanos();

    private final ManualTime time = new ManualTime(7);
    private final Map<PartitionId, AcceptorState> instances = new TreeMap<>();
    private final Random chance = new Random(11);
    private int silentInTen;
    private int asked;
    private Set<PartitionId> away = Set.of();
    private Set<PartitionId> disconnected = Set.of();
    private Set<PartitionId> known = ALL;
    private @Nullable Disturbance disturbance;

    @Override
    protected Catalogue open() {
        return catalogue();
    }

    private InstancesCatalogue catalogue() {
        return catalogue(way -> way);
    }

    private InstancesCatalogue catalogue(UnaryOperator<Acceptor> way) {
        Timing timing = time.timing();
        Register register = new Register(
                () -> known,
                id -> way.apply(request -> CompletableFuture.completedFuture(ask(id, request))),
                new Timing(timing.ticker(), timing.scheduler(), new Random(instances.hashCode() + asked)));
        return new InstancesCatalogue(register, CONFIGURED, timing, Runnable::run);
    }

    /** What becomes of one request to an instance, and of the instance. */
    private enum Fault {
        /** It never comes. */
        LOST,
        /** It is done, and the answer is lost. */
        ANSWER_LOST,
        /** It is done when nobody waits for it any more. */
        LATE,
        /** The instance is started again, and has forgotten all. */
        RESTARTED,
        /** As before, when it has done what was asked. */
        RESTARTED_BEHIND,
        /** The instance never answers again. */
        KILLED
    }

    /** @param request the how manieth request to the instance it is that goes wrong */
    private record Disturbance(PartitionId instance, int request, Fault fault) {}

    private AcceptorAnswer ask(PartitionId id, AcceptorRequest request) {
        Disturbance now = disturbance;
        if (now == null || !now.instance().equals(id) || request instanceof AcceptorRequest.Copy) {
            return asked(id, request);
        }
        disturbance = now.request() == 0 ? null : new Disturbance(id, now.request() - 1, now.fault());
        return now.request() > 0 ? asked(id, request) : disturbed(now, id, request);
    }

    private AcceptorAnswer disturbed(Disturbance now, PartitionId id, AcceptorRequest request) {
        switch (now.fault()) {
            case LOST -> {}
            case ANSWER_LOST -> asked(id, request);
            case LATE -> {
                Optional<?> unused = time.timing().schedule(() -> asked(id, request), LATE_NANOS);
            }
            case RESTARTED -> instances.put(id, AcceptorState.BLANK);
            case RESTARTED_BEHIND -> {
                asked(id, request);
                instances.put(id, AcceptorState.BLANK);
            }
            case KILLED -> away = Set.of(id);
        }
        return new AcceptorAnswer.Silent(now.fault().name());
    }

    private AcceptorAnswer asked(PartitionId id, AcceptorRequest request) {
        boolean isVote = request instanceof AcceptorRequest.Prepare || request instanceof AcceptorRequest.Accept;
        if ((request instanceof AcceptorRequest.Accept && disconnected.contains(id))
                || away.contains(id)
                || (isVote && chance.nextInt(10) < silentInTen)) {
            return new AcceptorAnswer.Silent("away");
        }
        AcceptorState.Applied applied =
                instances.getOrDefault(id, AcceptorState.BLANK).on(request, "r", "t" + ++asked);
        instances.put(id, applied.state());
        return isVote && chance.nextInt(10) < silentInTen ? new AcceptorAnswer.Silent("slow") : applied.answer();
    }

    @Override
    protected void pass() {
        time.advance(Duration.ofMillis(100));
    }

    @Override
    protected void disturb(Random random) {
        silentInTen = random.nextInt(3);
        if (random.nextInt(6) == 0) {
            forget(ALL.stream().sorted().toList().get(random.nextInt(3)));
        }
    }

    @Override
    protected void calm() {
        silentInTen = 0;
    }

    /** Whoever sees that somebody has forgotten gives the vote back, so that the next one may forget. */
    private void forget(PartitionId instance) {
        instances.put(instance, AcceptorState.BLANK);
        try (InstancesCatalogue catalogue = catalogue()) {
            int silent = silentInTen;
            silentInTen = 0;
            catalogue.copy().join();
            for (int turn = 0; turn < 30; turn++) {
                catalogue.stamp().join();
                time.advance(Duration.ofSeconds(1));
            }
            silentInTen = silent;
        }
    }

    private PartitionMap heavier(PartitionMap map, String operation) {
        int weight = map.partition(P1).orElseThrow().weight();
        return map.next(
                new MapCommit(operation, "test", "", Instant.EPOCH),
                content -> content.change(P1, weighed -> weighed.withWeight(weight + 1)));
    }

    private static PartitionMap made(CompletableFuture<CatalogueAnswer> answer) {
        assertThat(answer).isCompleted();
        assertThat(answer.join()).isInstanceOf(CatalogueAnswer.Ok.class);
        return ((CatalogueAnswer.Ok) answer.join()).map();
    }

    @Test
    void theFirstChange_beginsAGeneration_andNeedsAllWhoDecide() {
        InstancesCatalogue catalogue = catalogue();
        away = Set.of(P3);
        assertThat(catalogue.compareAndSet(heavier(CONFIGURED, "first")).join())
                .isInstanceOfSatisfying(
                        CatalogueAnswer.Unavailable.class,
                        unavailable -> assertThat(unavailable.why()).contains("p3"));
        assertThat(catalogue.read().join()).isInstanceOf(CatalogueAnswer.Unavailable.class);
        away = Set.of();

        PartitionMap first = made(catalogue.compareAndSet(heavier(CONFIGURED, "first")));

        assertThat(first.stamp().generation().number()).isEqualTo(1);
        assertThat(first.version()).isEqualTo(2);
        away = Set.of(P1);
        assertThat(made(catalogue.compareAndSet(heavier(first, "second"))).version())
                .isEqualTo(3);
    }

    static Stream<Arguments> disturbances() {
        return Stream.of(Fault.values())
                .flatMap(fault -> ALL.stream()
                        .flatMap(instance ->
                                IntStream.range(0, 6).mapToObj(request -> Arguments.of(instance, request, fault))));
    }

    /** Each of those who decide, at each step of a recovery. Two have lost their memory before. */
    @ParameterizedTest
    @MethodSource("disturbances")
    void recovery_endsByOneCall_whateverBecomesOfOneInstance(PartitionId instance, int request, Fault fault) {
        InstancesCatalogue catalogue = catalogue();
        PartitionMap first = made(catalogue.compareAndSet(heavier(CONFIGURED, "first")));
        instances.put(P1, AcceptorState.BLANK);
        instances.put(P2, AcceptorState.BLANK);

        disturbance = new Disturbance(instance, request, fault);
        AcceptorState voting = Objects.requireNonNull(instances.get(P3));
        CompletableFuture<CatalogueAnswer> recovered = recovered(catalogue, first, Set.of());
        if (recovered.join() instanceof CatalogueAnswer.Unavailable refused) {
            // One that does not answer may have its memory: only an operator knows better, and nothing was done.
            assertThat(fault).isEqualTo(Fault.KILLED);
            assertThat(refused.why()).contains("too few of those who decided are seen lost");
            assertThat(instances).containsEntry(P3, voting);
            recovered = recovered(catalogue, first, Set.of(instance));
        }

        PartitionMap again = made(recovered);
        disturbance = null;
        for (int turn = 0; turn < 30; turn++) { // who was started again gets its vote back
            catalogue.stamp().join();
            time.advance(Duration.ofSeconds(1));
        }
        PartitionMap next = made(catalogue.compareAndSet(heavier(again, "next")));
        assertThat(next.stamp().generation()).isEqualTo(again.stamp().generation());
        assertThat(made(catalogue.read())).isEqualTo(next);
        away = Set.of();
        assertThat(catalogue.giveCopies().join()).isEqualTo(3);
        assertThat(instances.values())
                .extracting(state ->
                        Objects.requireNonNull(state.copy()).generation().number())
                .containsOnly(again.stamp().generation().number());
    }

    private CompletableFuture<CatalogueAnswer> recovered(
            InstancesCatalogue catalogue, PartitionMap from, Set<PartitionId> gone) {
        CompletableFuture<CatalogueAnswer> answer = catalogue.recover("recover", from.stamp(), map -> map, gone);
        for (int turn = 0; turn < 100 && !answer.isDone(); turn++) {
            pass();
        }
        assertThat(answer).isCompleted();
        return answer;
    }

    /** All that one instance remembers may be forged: nobody follows, nothing fails, and the others go on to decide. */
    @Test
    void whatOneInstanceForges_isNotBelieved() {
        for (int seed = 0; seed < FORGERIES; seed++) {
            Random random = new Random(seed);
            instances.clear();
            InstancesCatalogue knowing = catalogue();
            PartitionMap first = made(knowing.compareAndSet(heavier(CONFIGURED, "first")));
            PartitionMap map = made(knowing.compareAndSet(heavier(first, "second")));
            PartitionId victim = List.of(P1, P2, P3).get(random.nextInt(3));
            AcceptorState forged = forged(Objects.requireNonNull(instances.get(victim)), victim, map, random);
            instances.put(victim, forged);
            String what = "seed %d, %s: %s".formatted(seed, victim, forged);

            away = Set.of(List.of(P1, P2, P3).get(random.nextInt(3)));
            assertThat(catalogue().copy().join().orElse(CONFIGURED).commit().actor())
                    .as(what)
                    .isNotEqualTo("evil");
            assertThat(knowing.copy().join()).as(what).contains(map);
            away = Set.of();
            int change = 0;
            for (InstancesCatalogue each : List.of(knowing, catalogue())) {
                assertThat(each.copy().join()).as(what).contains(map);
                assertThat(waited(each.look(), what).version()).as(what).isEqualTo(map.version());
                map = waited(each.compareAndSet(heavier(map, "behind-" + change++)), what);
                assertThat(waited(each.read(), what)).as(what).isEqualTo(map);
                for (int turn = 0; turn < 6; turn++) { // what is lost is given back
                    each.stamp().join();
                    time.advance(Duration.ofSeconds(5));
                }
                assertThat(each.copy().join()).as(what).contains(map);
            }
            assertThat(map.commit().actor()).as(what).isEqualTo("test");
        }
    }

    /** With a key, it does not matter who is away: an instance whose register was written without it is like one that is silent. */
    @Test
    void whatOneInstanceForgesWithoutTheKey_cannotBeRead() {
        UnaryOperator<Acceptor> sealed = Acceptor.sealed("secret");
        for (int seed = 0; seed < FORGERIES; seed++) {
            Random random = new Random(seed);
            instances.clear();
            InstancesCatalogue knowing = catalogue(sealed);
            PartitionMap first = made(knowing.compareAndSet(heavier(CONFIGURED, "first")));
            PartitionMap map = made(knowing.compareAndSet(heavier(first, "second")));
            AcceptorState before = Objects.requireNonNull(instances.get(P1));
            instances.put(P1, forged(before, P1, map, random));
            String what = "seed %d".formatted(seed);

            away = Set.of(P3);
            for (InstancesCatalogue each : List.of(knowing, catalogue(sealed))) {
                Stream.of(each.read(), each.compareAndSet(heavier(map, "change")))
                        .forEach(answer -> {
                            for (int turn = 0; turn < 300 && !answer.isDone(); turn++) {
                                pass();
                            }
                            boolean isTrue = !(answer.join() instanceof CatalogueAnswer.Ok ok)
                                    || ok.map().commit().actor().equals("test");
                            assertThat(isTrue).as(what).isTrue();
                        });
            }
            away = Set.of();
            assertThat(waited(catalogue(sealed).read(), what).commit().actor())
                    .as(what)
                    .isEqualTo("test");
        }
        assertThat(catalogue(Acceptor.sealed("other")).read().join()).isInstanceOf(CatalogueAnswer.Unavailable.class);
    }

    private PartitionMap waited(CompletableFuture<CatalogueAnswer> answer, String what) {
        for (int turn = 0; turn < 300 && !answer.isDone(); turn++) {
            pass();
        }
        assertThat(answer.getNow(new CatalogueAnswer.Unavailable("no answer")))
                .as(what)
                .isInstanceOf(CatalogueAnswer.Ok.class);
        return made(answer);
    }

    private static AcceptorState forged(AcceptorState before, PartitionId at, PartitionMap map, Random random) {
        Generation generation = Objects.requireNonNull(before.generation());
        RegisterValue value = Objects.requireNonNull(before.value());
        String incarnation = one(random, before.incarnation(), before.incarnation(), "other");
        Generation other = one(
                random,
                generation,
                generation,
                new Generation(2, "evil"),
                new Generation(99_999_999_999_999L, "evil"),
                new Generation(1, "rival"));
        return new AcceptorState(
                other,
                incarnation,
                one(random, before.serverRun(), before.serverRun(), "other"),
                ballot(before.promise(), random),
                ballot(before.ballot(), random),
                random.nextInt(4) == 0 ? value : forged(value, other, at, incarnation, map, random),
                random.nextInt(3) == 0
                        ? before.copy()
                        : new DecidedValue(other, forged(value, other, at, incarnation, map, random)));
    }

    private static Ballot ballot(Ballot present, Random random) {
        return one(
                random,
                present,
                Ballot.NONE,
                new Ballot("0000000000000900-evil"),
                new Ballot("0000000900000000-evil"),
                new Ballot("8999999999999999-evil"),
                new Ballot("9999999999999999-evil"));
    }

    /** A value that follows the true one, or is another one of the same number, or an older one, and says whatever helps. */
    private static RegisterValue forged(
            RegisterValue present,
            Generation generation,
            PartitionId at,
            String incarnation,
            PartitionMap map,
            Random random) {
        long sequence = present.sequence() + one(random, -1L, 0L, 1L, 2L, 1_000_000L);
        long version = present.version() + one(random, -1L, 0L, 1L, 2L, 1_000_000L);
        Voters alone = new Voters(Map.of(at, incarnation));
        Voters voters = one(random, present.voters(), alone, alone, new Voters(Map.of(new PartitionId("p9"), "x")));
        return new RegisterValue(
                sequence,
                version,
                random.nextInt(8) == 0
                        ? "no map"
                        : MapDocument.textOf(new PartitionMap(
                                new MapStamp(generation, version),
                                new MapCommit("evil", "evil", "", Instant.EPOCH),
                                map.content())),
                voters,
                one(random, present.previous(), voters, Voters.NONE),
                present.operations());
    }

    @SafeVarargs
    private static <T> T one(Random random, T... of) {
        return of[random.nextInt(of.length)];
    }

    /** The one that is forged may be asked and another one not: then only the operator can tell which copy is true. */
    @Test
    void recovery_beginsFromTheMapThatIsConfirmed_thoughAnInstanceShowsANewerOne() {
        InstancesCatalogue catalogue = catalogue();
        PartitionMap first = made(catalogue.compareAndSet(heavier(CONFIGURED, "first")));
        AcceptorState before = Objects.requireNonNull(instances.get(P1));
        RegisterValue value = Objects.requireNonNull(before.value());
        instances.put(P1, AcceptorState.BLANK);
        instances.put(P2, AcceptorState.BLANK);
        Generation evil = new Generation(9, "evil");
        instances.put(
                P1,
                new AcceptorState(
                        null,
                        "",
                        "",
                        Ballot.NONE,
                        Ballot.NONE,
                        null,
                        new DecidedValue(evil, forged(value, evil, P1, "x", first, new Random(1)))));

        InstancesCatalogue operator = catalogue();
        assertThat(operator.recover("wrong", new MapStamp(new Generation(9, "evil"), 77), map -> map, Set.of())
                        .join())
                .isInstanceOfSatisfying(
                        CatalogueAnswer.Invalid.class,
                        invalid -> assertThat(invalid.why())
                                .contains(
                                        "no instance that answers shows 9-evil/77",
                                        "p1 of 9-evil/",
                                        "p3 of " + first.stamp()));
        PartitionMap again = made(operator.recover("recover", first.stamp(), map -> map, Set.of()));

        assertThat(again.stamp().generation().number()).isEqualTo(2);
        assertThat(again.content()).isEqualTo(first.content());
        assertThat(made(catalogue.compareAndSet(heavier(again, "next"))).version())
                .isEqualTo(4);
    }

    private static MapContent emptied(MapContent content, PartitionId partition) {
        return FirstPlacements.give(content, content.slots().slotsOf(partition), P1);
    }

    @Test
    void fewerThanThreePartitions_oneDecides() {
        InstancesCatalogue catalogue = catalogue();
        PartitionMap first = made(catalogue.compareAndSet(heavier(CONFIGURED, "first")));
        PartitionMap given = made(catalogue.compareAndSet(first.next(
                new MapCommit("give", "test", "", Instant.EPOCH),
                content -> emptied(content, P3).remove(P3))));
        assertThat(given.askedPartitions()).extracting(MappedPartition::name).containsExactly(P1, P2);

        away = Set.of(P2, P3);

        assertThat(made(catalogue.compareAndSet(heavier(given, "alone"))).version())
                .isEqualTo(4);
    }
}
