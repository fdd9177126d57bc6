// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.history.Action;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import javax.cache.Cache;
import javax.cache.processor.EntryProcessor;
import org.jspecify.annotations.Nullable;

/**
 * What a thread asks of a cache next.
 *
 * @param isAsynchronous whether by the asynchronous form, whose end the thread awaits
 */
record Call(
        Action action,
        String key,
        @Nullable Long argument,
        @Nullable Long expected,
        boolean isAsynchronous) {
    private static final EntryProcessor<String, Long, @Nullable Long> EXCHANGE = (entry, arguments) -> {
        Long before = entry.getValue();
        entry.setValue((Long) arguments[0]);
        return before;
    };

    private static final EntryProcessor<String, Long, Long> INCREMENT = (entry, arguments) -> {
        Long next = entry.exists() ? Long.valueOf(entry.getValue() + 1) : (Long) arguments[0];
        entry.setValue(next);
        return next;
    };

    private static final EntryProcessor<String, Long, @Nullable Long> TAKE = (entry, arguments) -> {
        Long before = entry.getValue();
        if (before != null) {
            entry.remove();
        }
        return before;
    };

    static Call get(String key) {
        return new Call(Action.GET, key, null, null, false);
    }

    static Call of(Action action, String key, long argument) {
        return new Call(action, key, argument, null, false);
    }

    Call asynchronously() {
        return new Call(action, key, argument, expected, true);
    }

    /**
     * Does it, and returns what the cache answers.
     *
     * @throws InterruptedException if the thread is interrupted while an asynchronous form goes on
     */
    @Nullable
    Object on(PartitionedCache<String, Long> cache) throws InterruptedException {
        if (!isAsynchronous) {
            return synchronouslyOn(cache);
        }
        try {
            return asynchronouslyOn(cache).toCompletableFuture().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("A stage failed with what its namesake cannot throw", e);
        }
    }

    private CompletionStage<?> asynchronouslyOn(PartitionedCache<String, Long> cache) {
        long value = argument == null ? 0 : argument;
        return switch (action) {
            case GET, READ_THROUGH, GET_OR_LOAD -> cache.getAsync(key);
            case CONTAINS -> cache.containsKeyAsync(key);
            case PUT -> cache.putAsync(key, value);
            case REMOVE -> cache.removeAsync(key);
            case DELETE, DELETE_PRESENT -> cache.removeAllAsync(Set.of(key));
            case REMOVE_EXPECTED -> cache.removeAsync(key, expected == null ? 0 : expected);
            case GET_AND_REMOVE -> cache.getAndRemoveAsync(key);
            case PUT_IF_ABSENT -> cache.putIfAbsentAsync(key, value);
            case REPLACE -> cache.replaceAsync(key, value);
            case REPLACE_EXPECTED -> cache.replaceAsync(key, expected == null ? 0 : expected, value);
            case GET_AND_PUT -> cache.getAndPutAsync(key, value);
            case GET_AND_REPLACE -> cache.getAndReplaceAsync(key, value);
            case EXCHANGE -> cache.invokeAsync(key, EXCHANGE, value);
            case TAKE -> cache.invokeAsync(key, TAKE);
            case INCREMENT -> cache.invokeAsync(key, INCREMENT, value);
        };
    }

    private @Nullable Object synchronouslyOn(Cache<String, Long> cache) {
        long value = argument == null ? 0 : argument;
        return switch (action) {
            case GET, READ_THROUGH, GET_OR_LOAD -> cache.get(key);
            case CONTAINS -> cache.containsKey(key);
            case PUT -> {
                cache.put(key, value);
                yield null;
            }
            case REMOVE -> cache.remove(key);
            case DELETE, DELETE_PRESENT -> {
                cache.removeAll(Set.of(key));
                yield null;
            }
            case REMOVE_EXPECTED -> cache.remove(key, expected == null ? 0 : expected);
            case GET_AND_REMOVE -> cache.getAndRemove(key);
            case PUT_IF_ABSENT -> cache.putIfAbsent(key, value);
            case REPLACE -> cache.replace(key, value);
            case REPLACE_EXPECTED -> cache.replace(key, expected == null ? 0 : expected, value);
            case GET_AND_PUT -> cache.getAndPut(key, value);
            case GET_AND_REPLACE -> cache.getAndReplace(key, value);
            case EXCHANGE -> cache.invoke(key, EXCHANGE, value);
            case TAKE -> cache.invoke(key, TAKE);
            case INCREMENT -> cache.invoke(key, INCREMENT, value);
        };
    }
}
