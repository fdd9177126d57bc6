// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.EpochWorld.Bounds;
import io.keyslot.client.partition.redis.EpochWorld.Move;
import io.keyslot.client.partition.redis.EpochWorld.Mutant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the epoch promises, in the nearest worlds (breadth first), and on long walks at random.
 *
 * <ul>
 *   <li>No client reads what was replaced by an acknowledged write, or given up, in the same life, or in a later one in
 *       which this client has been.
 *   <li>Once a life is used at a server, nothing is written there in an earlier one.
 * </ul>
 *
 * <p>{@code -Dtests.model.states=2000000 -Dtests.model.walks=1000000} searches longer.
 */
class EpochModelTest {
    private static final int STATES = Integer.getInteger("tests.model.states", 8_000);
    private static final int WALKS = Integer.getInteger("tests.model.walks", 2_000);
    private static final int STEPS = 70;
    private static final Bounds SMALL = new Bounds(2, 2, 2, 1);
    private static final Bounds LARGE = new Bounds(3, 8, 4, 2);
    private static final long SEED_OF_MUTANTS = 1;

    /** A world, and how it came about. */
    private record Found(EpochWorld world, @Nullable Found before, String words) {
        String story(String violation) {
            List<String> steps = new ArrayList<>();
            for (Found at = this; at != null; at = at.before()) {
                steps.add(at.words());
            }
            Collections.reverse(steps);
            return String.join("\n", steps) + "\n=> " + violation;
        }
    }

    @Test
    void nearestWorlds_keepThePromises() {
        Set<String> seen = new HashSet<>();
        Deque<Found> next = new ArrayDeque<>();
        next.add(new Found(new EpochWorld(Mutant.NONE, SMALL), null, "all is well"));
        boolean used = false;

        while (!next.isEmpty() && seen.size() < STATES) {
            Found found = next.remove();
            for (Move move : found.world().moves()) {
                EpochWorld world = move.after().get();
                if (seen.add(world.state())) {
                    Found after = new Found(world, found, move.words());
                    assertThat(world.violation().map(after::story)).isEmpty();
                    used |= world.isUsed();
                    next.add(after);
                }
            }
        }

        assertThat(used).isTrue();
    }

    @Test
    void walksBeyondTheBounds_keepThePromises() {
        long seed = Long.getLong("tests.model.seed", new Random().nextLong());

        assertThat(walk(Mutant.NONE, LARGE, WALKS, seed))
                .describedAs("seed %d", seed)
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Mutant.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "NO_REPLICATION_ID"})
    void mutant_breaksAPromise(Mutant mutant) {
        Optional<String> story = walk(mutant, new Bounds(3, 4, 3, 2), 500, SEED_OF_MUTANTS)
                .or(() -> walk(mutant, new Bounds(2, 6, 3, 2), 20_000, SEED_OF_MUTANTS));

        assertThat(story).isPresent();
    }

    /** So seldom in a walk that the story is told: primary, replica that lacks a write, and primary again. */
    @Test
    void primaryThatLostAWriteAsAReplica_isToldByItsReplicationIdOnly() {
        List<String> story = List.of(
                "client 0 connects",
                "client 0 goes on",
                "client 0 goes on",
                "client 0 goes on",
                "client 0 goes on",
                "client 0 goes on",
                "client 0 goes on",
                "client 0 goes on",
                "client 0 writes 1",
                "server 1 gets what the primary has",
                "client 0 writes 2",
                "server 1 is promoted",
                "server 0 follows the other",
                "server 0 is promoted");

        assertThat(told(Mutant.NO_REPLICATION_ID, story).violation())
                .hasValueSatisfying(violation -> assertThat(violation).contains("client 0 reads 1"));
        assertThat(told(Mutant.NONE, story).violation()).isEmpty();
    }

    private static EpochWorld told(Mutant mutant, List<String> story) {
        EpochWorld world = new EpochWorld(mutant, new Bounds(1, 4, 2, 0));
        for (String words : story) {
            Optional<Move> next = world.moves().stream()
                    .filter(move -> move.words().startsWith(words))
                    .findFirst();
            assertThat(next).describedAs(words).isPresent();
            world = next.orElseThrow().after().get();
        }
        return world;
    }

    /** Returns the story of a broken promise. */
    private static Optional<String> walk(Mutant mutant, Bounds bounds, int walks, long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < walks; i++) {
            Optional<String> story = walk(new EpochWorld(mutant, bounds), random);
            if (story.isPresent()) {
                return story;
            }
        }
        return Optional.empty();
    }

    private static Move chosen(List<Move> moves, Random random) {
        int left = random.nextInt(moves.stream().mapToInt(Move::weight).sum());
        for (Move move : moves) {
            left -= move.weight();
            if (left < 0) {
                return move;
            }
        }
        throw new IllegalStateException("weights are positive");
    }

    private static Optional<String> walk(EpochWorld start, Random random) {
        Found at = new Found(start, null, "all is well");
        for (int step = 0; step < STEPS; step++) {
            List<Move> moves = at.world().moves();
            if (moves.isEmpty()) {
                return Optional.empty();
            }
            Move move = chosen(moves, random);
            at = new Found(move.after().get(), at, move.words());
            Optional<String> violation = at.world().violation().map(at::story);
            if (violation.isPresent()) {
                return violation;
            }
        }
        return Optional.empty();
    }
}
