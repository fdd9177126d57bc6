// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** The distribution of keys. */
public enum KeyChoice {
    UNIFORM {
        @Override
        IntStream stream(int keys, RandomGenerator random) {
            return random.ints(0, keys);
        }
    },

    /** Zipf's law with exponent 0.99, as in YCSB. Key 0 is the most frequent. */
    ZIPF {
        @Override
        IntStream stream(int keys, RandomGenerator random) {
            return random.doubles().mapToInt(new Zipf(keys, 0.99)::rank);
        }
    };

    /** Chooses keys in advance, so that choosing them is not measured. The same seed gives the same choice. */
    public int[] choose(int keys, int length, long seed) {
        return stream(keys, new Random(seed)).limit(length).toArray();
    }

    /** Returns an infinite stream of keys. */
    abstract IntStream stream(int keys, RandomGenerator random);
}
