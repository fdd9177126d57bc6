// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.replica;

import io.keyslot.client.stored.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Does the same for many items, a bounded number of them at a time. */
final class Together {
    /** How many keys are under way at a time: they must not fill a connection by themselves. */
    private static final int MOST_AT_A_TIME = 500;

    private Together() {}

    /** Returns the results in the order of the items. */
    static <I, R> CompletableFuture<List<R>> each(List<I> items, Function<I, CompletableFuture<R>> step) {
        CompletableFuture<List<R>> results = CompletableFuture.completedFuture(new ArrayList<>(items.size()));
        for (I item : items) {
            results = results.thenCombine(step.apply(item), Together::plus);
        }
        return results;
    }

    /** Returns the results in the order of the items; a slice of them begins when the one before it is over. */
    static <I, R> CompletableFuture<List<R>> slices(List<I> items, Function<List<I>, CompletableFuture<List<R>>> step) {
        if (items.size() <= MOST_AT_A_TIME) {
            return step.apply(items);
        }
        CompletableFuture<List<R>> results = CompletableFuture.completedFuture(new ArrayList<>(items.size()));
        for (List<I> slice : Slices.of(items, MOST_AT_A_TIME)) {
            results = results.thenCompose(before -> step.apply(slice).thenApply(more -> plusAll(before, more)));
        }
        return results;
    }

    private static <R> List<R> plus(List<R> results, R next) {
        results.add(next);
        return results;
    }

    private static <R> List<R> plusAll(List<R> results, List<R> more) {
        results.addAll(more);
        return results;
    }
}
