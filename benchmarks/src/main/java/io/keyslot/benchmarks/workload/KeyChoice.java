// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Which of the keys an operation concerns. */
public enum KeyChoice {
    /** Each as often as any other. */
    UNIFORM {
        @Override
        IntStream stream(int keys, RandomGenerator random) {
            return random.ints(0, keys);
        }
    },

    /** A few often and most seldom, by Zipf's law with exponent 0.99, as YCSB does. Key 0 is asked for most. */
    ZIPF {
        @Override
        IntStream stream(int keys, RandomGenerator random) {
            return random.doubles().mapToInt(new Zipf(keys, 0.99)::rank);
        }
    };

    /**
     * Chooses keys in advance, so that choosing them is not measured.
     *
     * @param keys how many there are
     * @param length how many to choose
     * @param seed the same gives the same choice
     */
    public int[] choose(int keys, int length, long seed) {
        return stream(keys, new Random(seed)).limit(length).toArray();
    }

    /** Returns keys without end. */
    abstract IntStream stream(int keys, RandomGenerator random);
}
