// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import java.util.concurrent.CompletableFuture;

/** How a thread waits for a reply, and how long. For that thread only. */
public interface Patience {
    /** Returns the nanoseconds that are left; 0 or less if it is over. */
    long remainingNanos();

    /** Waits until the reply is there, the time is over or the thread is interrupted, whichever comes first. */
    void await(CompletableFuture<?> reply);
}
