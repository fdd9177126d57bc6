// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.Given;
import io.keyslot.client.map.ConfiguredMap;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapContent;
import io.keyslot.client.map.Move;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What every catalogue keeps, whose map can be changed. */
public abstract class CatalogueContract {
    protected static final PartitionMap CONFIGURED = ConfiguredMap.of(Given.defaults());
    private static final PartitionId P1 = new PartitionId("p1");
    private static final PartitionId P2 = new PartitionId("p2");
    private static final int CHANGES = Integer.getInteger("tests.catalogue.changes", 60);

    /** Returns another client of the same catalogue. */
    protected abstract Catalogue open() throws Exception;

    /** Lets what waits for time go on. */
    protected void pass() {}

    /** Something goes wrong, or nothing does. */
    protected void disturb(Random random) {}

    /** Nothing goes wrong any more. */
    protected void calm() {}

    private <T> T now(CompletableFuture<T> future) {
        for (int turn = 0; turn < 1_000 && !future.isDone(); turn++) {
            pass();
        }
        return future.join();
    }

    private static PartitionMap next(PartitionMap map, String operation, UnaryOperator<MapContent> change) {
        return map.next(new MapCommit(operation, "test", "", Instant.EPOCH), change);
    }

    private static PartitionMap heavier(PartitionMap map, String operation) {
        int weight = map.partition(P1).orElseThrow().weight();
        return next(map, operation, content -> content.change(P1, weighed -> weighed.withWeight(weight + 1)));
    }

    private PartitionMap read(Catalogue catalogue) {
        return ((CatalogueAnswer.Ok) now(catalogue.read())).map();
    }

    private PartitionMap look(Catalogue catalogue) {
        return ((CatalogueAnswer.Ok) now(catalogue.look())).map();
    }

    private PartitionMap made(CatalogueAnswer answer) {
        assertThat(answer).isInstanceOf(CatalogueAnswer.Ok.class);
        return ((CatalogueAnswer.Ok) answer).map();
    }

    @Test
    void beforeTheFirstChange_theMapIsThatOfTheConfiguration() throws Exception {
        try (Catalogue catalogue = open()) {
            assertThat(read(catalogue)).isEqualTo(CONFIGURED);
            assertThat(look(catalogue)).isEqualTo(CONFIGURED);
            assertThat(now(catalogue.stamp())).contains(CONFIGURED.stamp());
        }
    }

    @Test
    void whoWasReplacedAsCoordinator_isFenced() throws Exception {
        try (Catalogue catalogue = open()) {
            Move move = Move.begun("m1", P1, P2, SlotSet.of(1), "one");
            PartitionMap begun =
                    made(now(catalogue.compareAndSet(next(CONFIGURED, "begin", content -> content.begin(move)))));
            PartitionMap taken =
                    made(now(catalogue.compareAndSet(next(begun, "take", content -> content.takeOver("m1", "two")))));

            assertThat(now(catalogue.compareAndSet(next(begun, "zombie", content -> content.startMoving("m1")))))
                    .isInstanceOfSatisfying(
                            CatalogueAnswer.Fenced.class,
                            fenced -> assertThat(fenced.by()).contains("two"));
            assertThat(read(catalogue)).isEqualTo(taken);
        }
    }

    @Test
    void whatIsPrepared_isStoredWhenItIsSaid_orNever() throws Exception {
        try (Catalogue one = open();
                Catalogue other = open()) {
            PartitionMap first = made(now(one.compareAndSet(heavier(CONFIGURED, "first"))));
            Supplier<CompletableFuture<CatalogueAnswer>> left = now(one.prepare(heavier(first, "left")));
            Supplier<CompletableFuture<CatalogueAnswer>> prepared = now(one.prepare(heavier(first, "second")));
            assertThat(read(other)).isEqualTo(first);
            assertThat(look(other)).isEqualTo(first);

            PartitionMap second = made(now(prepared.get()));

            assertThat(read(other)).isEqualTo(second);
            assertThat(second.commit().operation()).isEqualTo("second");
            assertThat(now(left.get())).isEqualTo(new CatalogueAnswer.Conflict(second));
            assertThat(read(other)).isEqualTo(second);
        }
    }

    /** As any other change: somebody else was faster. */
    private Supplier<CompletableFuture<CatalogueAnswer>> prepared(
            Catalogue writer, PartitionMap next, List<Catalogue> readers, Random random) {
        Supplier<CompletableFuture<CatalogueAnswer>> prepared = now(writer.prepare(next));
        Catalogue reader = readers.get(random.nextInt(2));
        CatalogueAnswer unused = switch (random.nextInt(4)) {
            case 0 -> now(reader.read());
            case 1 -> now(reader.look());
            default -> null;
        };
        disturb(random);
        return prepared;
    }

    /** Each change makes the first partition heavier by one: the weight counts those that were made. */
    @Test
    void generatedChanges_ofTwoWriters_areEachMadeOnceOrNever() throws Exception {
        for (long seed = 1; seed <= 3; seed++) {
            Random random = new Random(seed);
            try (Catalogue one = open();
                    Catalogue other = open()) {
                List<Catalogue> writers = List.of(one, other);
                PartitionMap before = read(one);
                List<PartitionMap> known = new ArrayList<>(List.of(before, before));
                int made = 0;
                for (int change = 0; change < CHANGES; change++) {
                    int by = random.nextInt(2);
                    Catalogue writer = writers.get(by);
                    disturb(random);
                    PartitionMap next = heavier(known.get(by), "s" + seed + "-" + change);
                    CatalogueAnswer answer = random.nextBoolean()
                            ? now(writer.compareAndSet(next))
                            : now(prepared(writer, next, writers, random).get());
                    calm();
                    if (answer instanceof CatalogueAnswer.Unknown) {
                        PartitionMap present = read(writers.get(random.nextInt(2)));
                        if (present.commit().operation().equals(next.commit().operation())) {
                            made++;
                        }
                        known.set(by, present);
                    } else if (answer instanceof CatalogueAnswer.Ok ok) {
                        made++;
                        known.set(by, ok.map());
                        assertThat(look(writers.get(random.nextInt(2)))).isEqualTo(ok.map());
                    } else if (answer instanceof CatalogueAnswer.Conflict conflict) {
                        known.set(by, conflict.present());
                    } else {
                        assertThat(answer).isInstanceOf(CatalogueAnswer.Unavailable.class);
                        known.set(by, read(writer));
                    }
                }
                PartitionMap after = read(other);
                assertThat(after.partition(P1).orElseThrow().weight()
                                - before.partition(P1).orElseThrow().weight())
                        .as("seed %d", seed)
                        .isEqualTo(made);
                assertThat(after.version() - before.version()).isEqualTo(made);
                assertThat(made).isGreaterThan(CHANGES / 10);
            }
        }
    }
}
