// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import io.keyslot.cache.failure.CacheOverloadedException;
import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.OutcomeUnknownException;
import io.keyslot.cache.failure.PartitionUnavailableException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.integration.CacheWriterException;

/** What racing calls answer, failures included. */
final class Answers {
    /** A call was not about the entry. */
    static final String NOTHING = "nothing";

    /** The call said that it was not done: it must have left no trace. */
    static final String NOT_DONE = "not done";

    /** The writer failed: a call for one entry was not done; of one for many, nobody says for which. */
    static final String WRITER_FAILED = "writer failed";

    /** The same, as the partition could not be asked: in a race without faults that must not be. */
    static final String UNAVAILABLE = "unavailable";

    /** Nobody knows. */
    static final String UNKNOWN = "unknown";

    private Answers() {}

    /** Makes a call; returns its answer for each of the two entries. */
    static Map<String, Object> of(RacingCall call, Cache<String, String> cache, String mine) {
        Map<String, Object> answers = new HashMap<>(Map.of(State.KEY, NOTHING, State.OTHER, NOTHING));
        try {
            answers.putAll(call.run(cache, mine));
        } catch (RuntimeException e) {
            for (String key : List.of(State.KEY, State.OTHER)) {
                boolean isDone = e instanceof KeyslotException known
                        && !known.failedKeys().isEmpty()
                        && !known.failedKeys().contains(key);
                answers.put(key, isDone ? "done" : ofFailure(e));
            }
        }
        return answers;
    }

    /** Returns what an exception says. */
    static String ofFailure(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutcomeUnknownException) {
                return UNKNOWN;
            }
            if (cause instanceof CacheWriterException) {
                return WRITER_FAILED;
            }
            if (cause instanceof CacheOverloadedException) {
                return NOT_DONE;
            }
            if (cause instanceof PartitionUnavailableException) {
                return UNAVAILABLE;
            }
        }
        throw failure;
    }
}
