// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.workload;

import java.util.Arrays;

/** Zipf's law: the key of rank r has a probability in proportion to 1 / (r + 1)<sup>exponent</sup>. Immutable. */
final class Zipf {
    /** The probability of this rank or a lower one. */
    private final double[] cumulated;

    Zipf(int ranks, double exponent) {
        cumulated = new double[ranks];
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += Math.pow(rank + 1.0, -exponent);
            cumulated[rank] = sum;
        }
        for (int rank = 0; rank < ranks; rank++) {
            cumulated[rank] /= sum;
        }
    }

    /** Returns the rank at a point of the distribution, from 0 to 1, exclusive. */
    int rank(double point) {
        int found = Arrays.binarySearch(cumulated, point);
        return found >= 0 ? found + 1 : -found - 1;
    }
}
