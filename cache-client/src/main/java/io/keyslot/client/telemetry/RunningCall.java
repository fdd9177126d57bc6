// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.telemetry;

import io.keyslot.cache.MissCause;
import io.keyslot.client.telemetry.convention.CallContext;
import io.keyslot.client.telemetry.convention.CallOutcome;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A running call of a cache, with its hits and misses so far. Safe for use by several threads. */
final class RunningCall extends CallContext {
    private @Nullable Set<MissCause> causes; // null for none; this field and all below are guarded by this
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

    /** Records a failure that the caller does not see. */
    synchronized void keep(CallOutcome instead) {
        if (instead.compareTo(untold) > 0) {
            untold = instead;
        }
    }

    synchronized void leaveEndToOperation() {
        isForLater = true;
    }

    /** Returns, once, whether the calling thread is responsible for ending the call. */
    synchronized boolean takeEnd() {
        boolean taken = isForLater;
        isForLater = false;
        return taken;
    }

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
