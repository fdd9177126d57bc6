// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.concurrent;

/** The system clock; the only class that reads it. */
public final class SystemTicker implements Ticker {
    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long epochMillis() {
        return System.currentTimeMillis();
    }
}
