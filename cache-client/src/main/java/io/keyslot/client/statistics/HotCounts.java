// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.statistics;

/** What is known of the keys of a cache that this process reads most, by a sketch of its last minutes. Safe for use by several threads. */
public interface HotCounts {
    /** Returns which part of the reads the most read key surely has, from 0 to 1. */
    double hottestShare();

    /** Returns how many keys are hot: surely read often enough for a near copy to pay. */
    long hotKeys();
}
