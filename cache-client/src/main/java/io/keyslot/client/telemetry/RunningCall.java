// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.MissCause;
import io.keyslot.client.telemetry.convention.CallContext;
import io.keyslot.client.telemetry.convention.CallOutcome;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A call of a cache, and what is found out about it meanwhile. Safe for use by several threads. */
final class RunningCall extends CallContext {
    private @Nullable Set<MissCause> causes; // this and what follows is guarded by this; null as long as there is none
    private CallOutcome outcome = CallOutcome.UNKNOWN;
    private CallOutcome untold = CallOutcome.UNKNOWN;
    private boolean hasHit;
    private boolean hasMissed;
    private boolean isForLater;
    private boolean isOver;

    RunningCall(String manager, String cache, String operation, @Nullable Object key) {
        super(manager, cache, operation, key);
    }

    @Override
    public synchronized CallOutcome outcome() {
        return outcome;
    }

    @Override
    public synchronized Set<MissCause> causes() {
        return causes == null ? Set.of() : Set.copyOf(causes);
    }

    synchronized void hit() {
        hasHit = true;
    }

    synchronized void miss() {
        hasMissed = true;
    }

    synchronized void missed(MissCause cause) {
        if (causes == null) {
            causes = EnumSet.of(cause);
        } else {
            causes.add(cause);
        }
    }

    /** Notes what the caller is not told. */
    synchronized void keep(CallOutcome instead) {
        if (instead.compareTo(untold) > 0) {
            untold = instead;
        }
    }

    /** Lets the thread that does the operation end the call, if it can. */
    synchronized void leaveEndToOperation() {
        isForLater = true;
    }

    /** Returns, once, whether the calling thread is to see to it that the operation ends the call. */
    synchronized boolean takeEnd() {
        boolean taken = isForLater;
        isForLater = false;
        return taken;
    }

    /** Notes how the call has ended; returns false if that is known already. */
    synchronized boolean end(@Nullable Object result, boolean failed) {
        if (isOver) {
            return false;
        }
        isOver = true;
        if (operation().equals("containsKey") && result instanceof Boolean found) {
            hasHit = found;
            hasMissed = !found;
        }
        outcome = failed ? CallOutcome.FAILED : untold == CallOutcome.UNKNOWN ? found() : untold;
        return true;
    }

    private CallOutcome found() {
        if (hasHit) {
            return hasMissed ? CallOutcome.PARTIAL : CallOutcome.HIT;
        }
        return hasMissed ? CallOutcome.MISS : CallOutcome.DONE;
    }
}
