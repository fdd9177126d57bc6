// SPDX-License-Identifier: Apache-2.0
package io.keyslot.race;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/** Who makes one of two racing calls: a thread of a process that has the cache. */
public interface Racer {
    /**
     * Makes a call; returns its answer for each of the two entries, a text or a Boolean.
     *
     * @param mine the value that it stores if it stores one
     */
    Map<String, Object> call(RacingCall call, String mine);

    /** Returns what the cache has of the two entries, null for nothing. */
    Map<String, @Nullable String> found();

    /** Returns one that uses this cache. */
    static Racer of(Cache<String, String> cache) {
        return new Racer() {
            @Override
            public Map<String, Object> call(RacingCall call, String mine) {
                return Answers.of(call, cache, mine);
            }

            @Override
            public Map<String, @Nullable String> found() {
                Map<String, @Nullable String> found = new HashMap<>();
                for (String key : List.of(State.KEY, State.OTHER)) {
                    found.put(key, cache.containsKey(key) ? cache.get(key) : null);
                }
                return found;
            }
        };
    }
}
