// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.history.Action;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.processor.EntryProcessor;
import org.jspecify.annotations.Nullable;

/** What a thread asks of a cache next. */
record Call(
        Action action,
        String key,
        @Nullable Long argument,
        @Nullable Long expected) {
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
        return new Call(Action.GET, key, null, null);
    }

    static Call of(Action action, String key, long argument) {
        return new Call(action, key, argument, null);
    }

    /** Does it, and returns what the cache answers. */
    @Nullable
    Object on(Cache<String, Long> cache) {
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
