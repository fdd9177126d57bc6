// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import javax.cache.Cache;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/** Every call that may change an entry: as it is made, and as it would be in a world where it is alone. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum RacingCall {
    PUT(
            false,
            alone((cache, mine) -> {
                cache.put(State.KEY, mine);
                return "done";
            }),
            List.of((state, mine) -> {
                state.set(mine);
                return "done";
            })),
    GET_AND_PUT(false, alone((cache, mine) -> text(cache.getAndPut(State.KEY, mine))), List.of((state, mine) -> {
        String before = state.cached;
        state.set(mine);
        return text(before);
    })),
    PUT_ALL(
            true,
            (cache, mine) -> {
                cache.putAll(both(mine));
                return both("done");
            },
            List.of((state, mine) -> {
                state.set(mine);
                return "done";
            })),
    PUT_IF_ABSENT(false, alone((cache, mine) -> cache.putIfAbsent(State.KEY, mine)), List.of((state, mine) -> {
        boolean absent = !state.isThere();
        if (absent) {
            state.set(mine);
        }
        return absent;
    })),
    REPLACE(false, alone((cache, mine) -> cache.replace(State.KEY, mine)), List.of((state, mine) -> {
        boolean present = state.isThere();
        if (present) {
            state.set(mine);
        }
        return present;
    })),
    GET_AND_REPLACE(
            false, alone((cache, mine) -> text(cache.getAndReplace(State.KEY, mine))), List.of((state, mine) -> {
                String before = state.cached;
                if (before != null) {
                    state.set(mine);
                }
                return text(before);
            })),
    REPLACE_EXPECTED(
            false, alone((cache, mine) -> cache.replace(State.KEY, State.FIRST, mine)), List.of((state, mine) -> {
                boolean equal = State.FIRST.equals(state.cached);
                if (equal) {
                    state.set(mine);
                }
                return equal;
            })),
    REMOVE(false, alone((cache, mine) -> cache.remove(State.KEY)), List.of((state, mine) -> removed(state))),
    GET_AND_REMOVE(false, alone((cache, mine) -> text(cache.getAndRemove(State.KEY))), List.of((state, mine) -> {
        String before = state.cached;
        state.remove();
        return text(before);
    })),
    REMOVE_EXPECTED(false, alone((cache, mine) -> cache.remove(State.KEY, State.FIRST)), List.of((state, mine) -> {
        boolean equal = State.FIRST.equals(state.cached);
        if (equal) {
            state.remove();
        }
        return equal;
    })),
    REMOVE_ALL_KEYS(
            true,
            (cache, mine) -> {
                cache.removeAll(Set.of(State.KEY, State.OTHER));
                return both("done");
            },
            List.of((state, mine) -> {
                state.remove();
                return "done";
            })),
    /** It looks for the keys before it removes them: what comes in between may stay. */
    REMOVE_ALL(
            true,
            (cache, mine) -> {
                cache.removeAll();
                return both("done");
            },
            List.of(
                    (state, mine) -> {
                        state.remove();
                        return "done";
                    },
                    (state, mine) -> "done")),
    /** Likewise. */
    ITERATOR_REMOVE(
            true,
            (cache, mine) -> {
                for (Iterator<Cache.Entry<String, String>> entries = cache.iterator(); entries.hasNext(); ) {
                    entries.next();
                    entries.remove();
                }
                return both("done");
            },
            List.of(
                    (state, mine) -> {
                        state.remove();
                        return "done";
                    },
                    (state, mine) -> "done")),
    INVOKE_SET(
            false,
            invoked((entry, mine) -> {
                String before = entry.getValue();
                entry.setValue(mine);
                return text(before);
            }),
            List.of((state, mine) -> {
                String before = state.cached;
                state.set(mine);
                return text(before);
            })),
    INVOKE_SET_IF_ABSENT(
            false,
            invoked((entry, mine) -> {
                boolean absent = !entry.exists();
                if (absent) {
                    entry.setValue(mine);
                }
                return absent;
            }),
            PUT_IF_ABSENT.models),
    INVOKE_SET_IF_EXPECTED(
            false,
            invoked((entry, mine) -> {
                boolean equal = entry.exists() && State.FIRST.equals(entry.getValue());
                if (equal) {
                    entry.setValue(mine);
                }
                return equal;
            }),
            REPLACE_EXPECTED.models),
    INVOKE_REMOVE(
            false,
            invoked((entry, mine) -> {
                boolean present = entry.exists();
                entry.remove();
                return present;
            }),
            List.of((state, mine) -> removed(state))),
    INVOKE_REMOVE_IF_EXPECTED(
            false,
            invoked((entry, mine) -> {
                boolean equal = entry.exists() && State.FIRST.equals(entry.getValue());
                if (equal) {
                    entry.remove();
                }
                return equal;
            }),
            REMOVE_EXPECTED.models),
    INVOKE_NOTHING(false, invoked((entry, mine) -> entry.exists()), List.of((state, mine) -> state.isThere())),
    INVOKE_ALL(
            true,
            (cache, mine) -> {
                EntryProcessor<String, String, Object> processor = (entry, arguments) -> {
                    boolean absent = !entry.exists();
                    entry.setValue(mine);
                    return absent;
                };
                Map<String, EntryProcessorResult<Object>> results =
                        cache.invokeAll(Set.of(State.KEY, State.OTHER), processor);
                Map<String, Object> answers = new HashMap<>();
                results.forEach((key, result) -> answers.put(key, answerOf(result)));
                return answers;
            },
            List.of((state, mine) -> {
                boolean absent = !state.isThere();
                state.set(mine);
                return absent;
            }));

    private final boolean isBulk;
    private final BiFunction<Cache<String, String>, String, Map<String, Object>> call;
    private final List<BiFunction<State, String, Object>> models;

    RacingCall(
            boolean isBulk,
            BiFunction<Cache<String, String>, String, Map<String, Object>> call,
            List<BiFunction<State, String, Object>> models) {
        this.isBulk = isBulk;
        this.call = call;
        this.models = models;
    }

    /** Makes the call; returns what it has answered for each entry. */
    Map<String, Object> run(Cache<String, String> cache, String mine) {
        return call.apply(cache, mine);
    }

    /**
     * Returns whether some of a call that failed may have been done: a writer that fails does not say for which entries, and
     * who goes through the whole cache has removed entries before one cannot be.
     */
    boolean mayBeHalfDone(boolean writerFailed) {
        return switch (this) {
            case REMOVE_ALL, ITERATOR_REMOVE -> true;
            case PUT_ALL, REMOVE_ALL_KEYS -> writerFailed;
            default -> false;
        };
    }

    /** Returns whether the call may remove an entry, and remove it again later: it looks at all partitions. */
    boolean removesAgain() {
        return this == REMOVE_ALL || this == ITERATOR_REMOVE;
    }

    /** Returns what the call may do to an entry and answer, alone; one of these. */
    List<BiFunction<State, String, Object>> models(String key) {
        return isBulk || key.equals(State.KEY) ? models : List.of((state, mine) -> Answers.NOTHING);
    }

    private static BiFunction<Cache<String, String>, String, Map<String, Object>> alone(
            BiFunction<Cache<String, String>, String, Object> call) {
        return (cache, mine) -> Map.of(State.KEY, call.apply(cache, mine));
    }

    private static BiFunction<Cache<String, String>, String, Map<String, Object>> invoked(
            BiFunction<MutableEntry<String, String>, String, Object> process) {
        return alone((cache, mine) -> {
            EntryProcessor<String, String, Object> processor = (entry, arguments) -> process.apply(entry, mine);
            return Objects.requireNonNull(cache.invoke(State.KEY, processor));
        });
    }

    private static <T> Map<String, T> both(T of) {
        Map<String, T> both = new LinkedHashMap<>();
        both.put(State.KEY, of);
        both.put(State.OTHER, of);
        return both;
    }

    private static Object answerOf(EntryProcessorResult<Object> result) {
        try {
            return result.get();
        } catch (EntryProcessorException e) {
            return Answers.ofFailure(e);
        }
    }

    private static String text(@Nullable String value) {
        return value == null ? "none" : value;
    }

    private static boolean removed(State state) {
        boolean present = state.isThere();
        state.remove();
        return present;
    }
}
