// SPDX-License-Identifier: Apache-2.0
package io.keyslot.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What may be stored under one key, by all that the callers were told. Calls come one after the other; only those whose
 * outcome is unknown may still happen later. Each write has a value of its own.
 *
 * <p>A call that says what it found, or that nothing was there, must have found something that is possible.
 */
final class KeyHistory {
    static final long NOTHING = 0;

    private final String key;
    private final Set<Long> possible = new TreeSet<>(Set.of(NOTHING));
    private final List<Late> late = new ArrayList<>();

    KeyHistory(String key) {
        this.key = key;
    }

    /** A change of a process of which nobody knows whether it has happened, or will. */
    private record Late(int process, long value) {}

    /** The call stored this value, or nothing, and was acknowledged. */
    void stored(long value) {
        possible.clear();
        possible.add(value);
    }

    /** Nobody knows whether the call stored this value, or nothing, or will. */
    void mayBeStored(int process, long value) {
        late.add(new Late(process, value));
    }

    /** The call found this value, or nothing. */
    void found(long value) {
        check(candidates().contains(value), value == NOTHING ? "nothing" : "value " + value);
        possible.clear();
        possible.add(value);
        late.removeIf(change -> change.value() == value && value != NOTHING);
    }

    /** The call found some value, or nothing. */
    void foundSomethingIf(boolean something) {
        if (something) {
            check(candidates().stream().anyMatch(value -> value != NOTHING), "something");
            possible.remove(NOTHING);
        } else {
            found(NOTHING);
        }
    }

    /** The call stored this value, or changed nothing. */
    void storedIf(boolean changed, long value) {
        if (changed) {
            stored(value);
        }
    }

    /** All that was stored is gone, and so is what was under way. */
    void lost() {
        late.clear();
        stored(NOTHING);
    }

    /**
     * The partition has answered the process. Changes of the same process that were sent before have happened by now, or
     * never will.
     */
    void answered(int process) {
        late.stream().filter(change -> change.process() == process).forEach(change -> possible.add(change.value()));
        late.removeIf(change -> change.process() == process);
    }

    private Set<Long> candidates() {
        Set<Long> candidates = new TreeSet<>(possible);
        late.forEach(change -> candidates.add(change.value()));
        return candidates;
    }

    private void check(boolean expected, String found) {
        if (!expected) {
            throw new AssertionError(
                    "Key %s: a call found %s, possible are %s and late %s".formatted(key, found, possible, late));
        }
    }
}
