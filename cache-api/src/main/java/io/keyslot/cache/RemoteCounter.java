// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * A whole number, as a {@link java.util.concurrent.atomic.AtomicLong} is. One that is not there counts as 0.
 *
 * <p>Sums beyond 64 bits are refused with {@link ArithmeticException}: nothing was changed.
 */
public interface RemoteCounter extends RemoteAggregate<RemoteCounter> {
    long get();

    void set(long value);

    /** Sets another value; returns the one before. */
    long getAndSet(long value);

    long addAndGet(long delta);

    default long incrementAndGet() {
        return addAndGet(1);
    }

    default long decrementAndGet() {
        return addAndGet(-1);
    }
}
