// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A call of a program.
 *
 * @param thread the number of the thread that makes it, of all processes
 * @param value the first of the values that it may store; those of two calls differ
 * @param pauseMillis how long the thread waits before it
 * @param isAsync whether the asynchronous form is called, if there is one
 * @param isInterrupted whether the thread is interrupted before it
 */
record Call(
        int thread, Kind kind, List<String> keys, long value, int pauseMillis, boolean isAsync, boolean isInterrupted) {
    enum Kind {
        GET,
        GET_ALL,
        CONTAINS_KEY,
        PUT,
        PUT_ALL,
        PUT_IF_ABSENT,
        GET_AND_PUT,
        REPLACE,
        REPLACE_EXPECTED,
        GET_AND_REPLACE,
        REMOVE,
        REMOVE_EXPECTED,
        GET_AND_REMOVE,
        REMOVE_ALL_OF_KEYS,
        REMOVE_ALL,
        CLEAR,
        INVOKE_SET,
        INVOKE_REMOVE,
        INVOKE_NOTHING,
        INVOKE_ALL,
        ITERATE,
        ITERATE_AND_REMOVE,
        LOAD_ALL,
        /** A transaction of a group. */
        TRANSACT,
        /** The cache is destroyed, and made again. */
        DESTROY
    }

    private static final int LONGEST_PAUSE = 400;

    /** In which some entries expire and others do not. */
    private static final int LONGEST_TIMED_PAUSE = 130;

    /** How often each kind is drawn: those that look at what is there before they change it meet each other most. */
    private static final List<Kind> DRAWN = IntStream.range(0, Kind.values().length)
            .mapToObj(i -> Kind.values()[i])
            .flatMap(kind -> IntStream.range(0, weight(kind)).mapToObj(i -> kind))
            .toList();

    private static int weight(Kind kind) {
        return switch (kind) {
            case PUT, PUT_IF_ABSENT, REPLACE_EXPECTED, REMOVE, REMOVE_EXPECTED, INVOKE_SET -> 6;
            case TRANSACT, DESTROY -> 0; // only where they can be
            case GET, PUT_ALL, GET_AND_PUT, REPLACE, GET_ALL, INVOKE_REMOVE, REMOVE_ALL_OF_KEYS -> 3;
            default -> 1;
        };
    }

    static Call draw(Random random, Scenario scenario, int thread, long value) {
        Kind kind = drawKind(random, scenario);
        List<String> keys = random.ints(isBulk(kind) ? 1 + random.nextInt(scenario.keys()) : 1, 0, scenario.keys())
                .distinct()
                .mapToObj(Call::key)
                .toList();
        return new Call(
                thread,
                kind,
                keys,
                value,
                drawPause(random, scenario),
                random.nextInt(6) == 0,
                scenario.interrupts() && random.nextInt(8) == 0);
    }

    private static Kind drawKind(Random random, Scenario scenario) {
        if (scenario.hasTransactions() && random.nextInt(4) == 0) {
            return Kind.TRANSACT;
        }
        if (scenario.mayBeDestroyed() && random.nextInt(5) == 0) {
            return Kind.DESTROY;
        }
        return DRAWN.get(random.nextInt(DRAWN.size()));
    }

    private static int drawPause(Random random, Scenario scenario) {
        if (scenario.lifetime().isTimed()) {
            return random.nextBoolean() ? random.nextInt(LONGEST_TIMED_PAUSE) : 0;
        }
        return random.nextInt(scenario.faults() ? 3 : 8) == 0 ? random.nextInt(LONGEST_PAUSE) : 0;
    }

    private static boolean isBulk(Kind kind) {
        return switch (kind) {
            case GET_ALL, PUT_ALL, REMOVE_ALL_OF_KEYS, INVOKE_ALL, LOAD_ALL, TRANSACT -> true;
            default -> false;
        };
    }

    static String key(int number) {
        return "k" + number;
    }

    String key() {
        return keys.get(0);
    }

    /** Returns the value for one of the keys. */
    long valueFor(String key) {
        return value + Integer.parseInt(key.substring(1));
    }
}
