// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import static io.keyslot.simulation.KeyHistory.NOTHING;

import java.util.Objects;
import java.util.function.Consumer;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** A change that an application makes, and what its result says about the entry. */
enum Operation {
    PUT {
        @Override
        Consumer<KeyHistory> call(Cache<String, Long> cache, String key, long value) {
            cache.put(key, value);
            return history -> history.stored(value);
        }
    },
    REMOVE {
        @Override
        Consumer<KeyHistory> call(Cache<String, Long> cache, String key, long value) {
            boolean removed = cache.remove(key);
            return history -> {
                history.foundSomethingIf(removed);
                history.stored(NOTHING);
            };
        }

        @Override
        long effect(long value) {
            return NOTHING;
        }
    },
    PUT_IF_ABSENT {
        @Override
        Consumer<KeyHistory> call(Cache<String, Long> cache, String key, long value) {
            boolean stored = cache.putIfAbsent(key, value);
            return history -> {
                history.foundSomethingIf(!stored);
                history.storedIf(stored, value);
            };
        }
    },
    REPLACE {
        @Override
        Consumer<KeyHistory> call(Cache<String, Long> cache, String key, long value) {
            boolean replaced = cache.replace(key, value);
            return history -> {
                history.foundSomethingIf(replaced);
                history.storedIf(replaced, value);
            };
        }
    },
    GET_AND_PUT {
        @Override
        Consumer<KeyHistory> call(Cache<String, Long> cache, String key, long value) {
            long before = orNothing(cache.getAndPut(key, value));
            return history -> {
                history.found(before);
                history.stored(value);
            };
        }
    },
    INVOKE {
        @Override
        Consumer<KeyHistory> call(Cache<String, Long> cache, String key, long value) {
            long before = Objects.requireNonNull(cache.<Long>invoke(key, (entry, arguments) -> {
                long found = orNothing(entry.getValue());
                entry.setValue(value);
                return found;
            }));
            return history -> {
                history.found(before);
                history.stored(value);
            };
        }
    };

    /**
     * Calls, and returns what the result says.
     *
     * @param value what is stored, if something is
     */
    abstract Consumer<KeyHistory> call(Cache<String, Long> cache, String key, long value);

    /** Returns what is stored if the call happens, though nobody hears of it. */
    long effect(long value) {
        return value;
    }

    private static long orNothing(@Nullable Long value) {
        return value == null ? NOTHING : value;
    }
}
