// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.util.Comparator;
import java.util.PrimitiveIterator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Runs programs until one goes wrong, and makes that one as short as it can. */
final class ProgramSearch {
    /** A shorter program is interleaved otherwise; how many ways are tried. */
    private static final int TRIES = 40;

    /** How many programs run at a time; each of them is as if alone. */
    private static final int SEARCHERS = 2;

    private ProgramSearch() {}

    /**
     * What went wrong.
     *
     * @param seed gives the program as it was drawn
     * @param story the program, and what happened
     */
    record Failure(long seed, Program program, String story) {
        @Override
        public String toString() {
            return "Seed %d:%n%s%n%s".formatted(seed, program, story);
        }

        /** Returns one with fewer calls and disturbances, none of which can be left away. */
        Failure shortened() {
            Failure shortest = this;
            for (Failure next = shortest; next != null; next = next.shorter()) {
                shortest = next;
            }
            return shortest;
        }

        private @Nullable Failure shorter() {
            int size = program.calls().size() + program.disturbances().size();
            for (int i = 0; i < size; i++) {
                Failure shorter = interleavedAnyhow(without(i));
                if (shorter != null) {
                    return shorter;
                }
            }
            return null;
        }

        private Program without(int index) {
            int calls = program.calls().size();
            return index < calls ? program.withoutCall(index) : program.withoutDisturbance(index - calls);
        }

        private @Nullable Failure interleavedAnyhow(Program shorter) {
            for (long other = seed; other < seed + TRIES; other++) {
                String story = ProgramRun.problemOf(shorter, other);
                if (story != null) {
                    return new Failure(seed, shorter, story);
                }
            }
            return null;
        }
    }

    /** Runs a program for each seed whose scenario is wanted, until one goes wrong; null if none does. */
    static @Nullable Failure search(long firstSeed, int programs, Predicate<Scenario> wanted) {
        PrimitiveIterator.OfLong seeds = LongStream.iterate(firstSeed, seed -> seed + 1)
                .filter(seed -> wanted.test(Program.draw(seed).scenario()))
                .limit(programs)
                .iterator();
        Queue<Failure> failures = new ConcurrentLinkedQueue<>();
        Runnable searcher = () -> {
            for (Long seed = next(seeds); seed != null && failures.isEmpty(); seed = next(seeds)) {
                Program program = Program.draw(seed);
                String story = ProgramRun.problemOf(program, seed);
                if (story != null) {
                    failures.add(new Failure(seed, program, story));
                }
            }
        };
        CompletableFuture.allOf(IntStream.range(0, SEARCHERS)
                        .mapToObj(i -> CompletableFuture.runAsync(searcher, task -> new Thread(task).start()))
                        .toArray(CompletableFuture[]::new))
                .join();
        return failures.stream().min(Comparator.comparingLong(Failure::seed)).orElse(null);
    }

    private static @Nullable Long next(PrimitiveIterator.OfLong seeds) {
        synchronized (seeds) {
            return seeds.hasNext() ? seeds.next() : null;
        }
    }
}
