// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * Two calls at the same time, and whether what came of them is possible: whether there is an order in which they answer what
 * they answered, and leave what they left. The cache may have lost what it had, and nothing else.
 *
 * @param isThere whether the entries are there before
 */
public record Race(RacingCall one, RacingCall other, boolean isThere) {
    private static final String ONE = "one";
    private static final String OTHER = "other";

    /** Runs two tasks at the same time. */
    @FunctionalInterface
    public interface Track {
        void run(Runnable one, Runnable other);
    }

    /** Returns every pair of calls, with and without entries before. */
    public static List<Race> all() {
        List<Race> all = new ArrayList<>();
        for (RacingCall one : RacingCall.values()) {
            for (RacingCall other : RacingCall.values()) {
                all.add(new Race(one, other, false));
                all.add(new Race(one, other, true));
            }
        }
        return all;
    }

    /**
     * Lets the calls race, in the caches of two processes or twice in that of one; returns what is wrong afterwards.
     *
     * @param cache that of the first process, which prepares the race and makes its first call
     * @param otherCache makes the other call
     * @param isOrdered whether the database gets the changes in the order of the cache
     */
    public Optional<String> run(
            Cache<String, String> cache,
            Cache<String, String> otherCache,
            Database database,
            Track track,
            Runnable settle,
            boolean isOrdered) {
        Map<String, String> before = new LinkedHashMap<>();
        if (isThere) {
            before.put(State.KEY, State.FIRST);
            before.put(State.OTHER, State.FIRST);
        }
        prepare(cache, database, before, settle);
        Map<String, Map<String, Object>> answers = new LinkedHashMap<>();
        track.run(
                () -> put(answers, ONE, Answers.of(one, cache, ONE)),
                () -> put(answers, OTHER, Answers.of(other, otherCache, OTHER)));
        Map<String, @Nullable String> early = found(cache); // before a writer that comes second has been asked
        settle.run();
        for (String key : List.of(State.KEY, State.OTHER)) {
            String written = database.rows().get(key);
            Object oneSaid = Objects.requireNonNull(answers.get(ONE)).get(key);
            Object otherSaid = Objects.requireNonNull(answers.get(OTHER)).get(key);
            for (Cache<String, String> each : List.of(cache, otherCache)) {
                String cached = found(each).get(key);
                boolean agree = cached == null || cached.equals(written);
                boolean isPossible = !isOrdered
                        || (isPossible(key, oneSaid, otherSaid, cached, written)
                                && isPossible(key, oneSaid, otherSaid, early.get(key), written));
                if (!agree || !isPossible) {
                    return Optional.of("%s: %s answered %s, %s answered %s, cache %s, then %s, database %s, before %s"
                            .formatted(
                                    agree ? "impossible" : "cache and database differ",
                                    one,
                                    oneSaid,
                                    other,
                                    otherSaid,
                                    early.get(key),
                                    cached,
                                    written,
                                    before.get(key)));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns what the cache has of the two entries, null for nothing. */
    private static Map<String, @Nullable String> found(Cache<String, String> cache) {
        Map<String, @Nullable String> found = new HashMap<>();
        for (String key : List.of(State.KEY, State.OTHER)) {
            found.put(key, cache.containsKey(key) ? cache.get(key) : null);
        }
        return found;
    }

    private static void put(Map<String, Map<String, Object>> answers, String who, Map<String, Object> said) {
        synchronized (answers) {
            answers.put(who, said);
        }
    }

    private static void prepare(
            Cache<String, String> cache, Database database, Map<String, String> before, Runnable settle) {
        settle.run();
        cache.clear();
        database.rows().clear();
        for (Map.Entry<String, String> entry : before.entrySet()) {
            while (!database.rows().containsKey(entry.getKey()) || !cache.containsKey(entry.getKey())) {
                try {
                    cache.put(entry.getKey(), entry.getValue());
                    settle.run();
                } catch (RuntimeException writerFailed) {
                    Answers.ofFailure(writerFailed);
                }
            }
        }
    }

    private boolean isPossible(
            String key,
            @Nullable Object oneSaid,
            @Nullable Object otherSaid,
            @Nullable String cached,
            @Nullable String written) {
        return isPossible(one, ONE, oneSaid, other, OTHER, otherSaid, key, cached, written)
                || isPossible(other, OTHER, otherSaid, one, ONE, oneSaid, key, cached, written);
    }

    private boolean isPossible(
            RacingCall first,
            String firstValue,
            @Nullable Object firstSaid,
            RacingCall second,
            String secondValue,
            @Nullable Object secondSaid,
            String key,
            @Nullable String cached,
            @Nullable String written) {
        for (BiFunction<State, String, Object> firstModel : possible(first, key, firstSaid)) {
            for (BiFunction<State, String, Object> secondModel : possible(second, key, secondSaid)) {
                State state = isThere ? new State(State.FIRST, State.FIRST) : new State(null, null);
                Object firstAnswer = firstModel.apply(state, firstValue);
                Object secondAnswer = secondModel.apply(state, secondValue);
                if (firstAnswer.equals(firstSaid)
                        && secondAnswer.equals(secondSaid)
                        && (Objects.equals(state.written, written) || (first.removesAgain() && written == null))
                        && (cached == null || cached.equals(state.cached))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<BiFunction<State, String, Object>> possible(
            RacingCall call, String key, @Nullable Object said) {
        if (!Answers.NOT_DONE.equals(said) && !Answers.WRITER_FAILED.equals(said)) {
            return call.models(key);
        }
        List<BiFunction<State, String, Object>> possible = new ArrayList<>();
        possible.add((state, mine) -> said);
        if (call.mayBeHalfDone(Answers.WRITER_FAILED.equals(said))) {
            call.models(key)
                    .forEach(model -> possible.add((state, mine) -> {
                        Object unheard = model.apply(state, mine);
                        return unheard.equals(Answers.NOTHING) ? unheard : said;
                    }));
        }
        return possible;
    }
}
