// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

/** Counts nothing. */
final class CacheCounters {
    void lookup(boolean hit) {}

    private void add(LongAdder statistic, LongAdder meter, long count) {}

    private void took(LongAdder total, long nanos) {}
}
