// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/**
 * A whole number, like {@link java.util.concurrent.atomic.AtomicLong}. A counter that does not exist has the value 0. A
 * sum beyond 64 bits throws {@link ArithmeticException}, and nothing is changed.
 */
public interface RemoteCounter extends RemoteAggregate<RemoteCounter> {
    long get();

    void set(long value);

    /** Sets a value; returns the previous one. */
    long getAndSet(long value);

    long addAndGet(long delta);

    default long incrementAndGet() {
        return addAndGet(1);
    }

    default long decrementAndGet() {
        return addAndGet(-1);
    }
}
