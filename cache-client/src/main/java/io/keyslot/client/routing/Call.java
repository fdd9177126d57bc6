// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.concurrent.Deadline;
import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;

record Call<R>(Target target, Command<R> command, Patience patience) {
    Deadline deadline() {
        return patience.deadline();
    }

    /** Returns the same call for another thread, which must not wait. */
    Call<R> withoutWaiter() {
        boolean isWithout = patience.waiter() == null && !patience.isAhead();
        return isWithout ? this : new Call<>(target, command, patience.withoutWaiter());
    }
}
