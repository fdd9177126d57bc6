// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.history.Action;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All kinds of calls, one in four by its asynchronous form, of a few keys, with values that no other thread writes. */
final class RegisterScript implements Script {
    static final int KEYS = 12;

    /** Between two values of a thread; increments fill the gap. */
    static final long GAP = 1_000;

    private static final long VALUES_PER_THREAD = 1_000_000_000;

    private static final List<Action> CHANGES = List.of(
            Action.PUT,
            Action.PUT,
            Action.PUT_IF_ABSENT,
            Action.REPLACE,
            Action.REPLACE_EXPECTED,
            Action.REPLACE_EXPECTED,
            Action.GET_AND_PUT,
            Action.EXCHANGE,
            Action.INCREMENT,
            Action.INCREMENT,
            Action.GET_AND_REPLACE,
            Action.TAKE,
            Action.GET_AND_REMOVE,
            Action.REMOVE_EXPECTED,
            Action.REMOVE);

    private static final Set<Action> EXPECTING = Set.of(Action.REPLACE_EXPECTED, Action.REMOVE_EXPECTED);

    /** They store nothing. */
    private static final Set<Action> REMOVING =
            Set.of(Action.REMOVE, Action.REMOVE_EXPECTED, Action.GET_AND_REMOVE, Action.TAKE);

    private final Random random;
    private final Map<String, Long> seen = new HashMap<>();
    private long value;
    private Call last = Call.get("r0");

    RegisterScript(Random random, int thread) {
        this.random = random;
        this.value = (thread + 1) * VALUES_PER_THREAD;
    }

    @Override
    public Call next() {
        String key = "r" + random.nextInt(KEYS);
        Call call = random.nextInt(10) < 4 ? Call.get(key) : change(CHANGES.get(random.nextInt(CHANGES.size())), key);
        last = random.nextInt(4) == 0 ? call.asynchronously() : call;
        return last;
    }

    private Call change(Action action, String key) {
        value += GAP;
        Long expected = EXPECTING.contains(action) ? seen.getOrDefault(key, 0L) : null;
        return new Call(action, key, REMOVING.contains(action) ? null : value, expected, false);
    }

    @Override
    public void answered(@Nullable Object result) {
        if (result instanceof Long number) {
            seen.put(last.key(), number);
        }
    }
}
