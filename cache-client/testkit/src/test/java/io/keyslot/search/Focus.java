// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.search.Scenario.Backing;
import io.keyslot.search.Scenario.Trouble;

/** Scenarios among which a search finds a certain kind of defect soon. */
enum Focus {
    ANY,
    PLAIN,
    LISTENERS,
    TIMED,
    LOADS,
    WRITE_THROUGH,
    WRITE_THROUGH_FAULTS,
    WRITE_BEHIND,
    INTERRUPTED_WRITE_BEHIND,
    INTERRUPTED_LOADS,
    INTERRUPTS,
    BUSY_INTERRUPTS,
    REFUSALS,
    RESETS,
    FAULTS,
    ALONE_FAULTS,
    TRANSACTIONS;

    boolean wants(Scenario scenario) {
        boolean written = scenario.database().isWritten();
        boolean plain = scenario.database() == Backing.NOTHING && scenario.isCalm();
        return switch (this) {
            case ANY -> true;
            case PLAIN -> plain;
            case LISTENERS -> scenario.listener() && scenario.isCalm() && !written;
            case TIMED -> plain && scenario.lifetime().isTimed();
            case LOADS -> scenario.database() == Backing.READ_THROUGH && scenario.isCalm();
            case WRITE_THROUGH -> scenario.database().isWrittenFirst() && scenario.isCalm();
            case WRITE_THROUGH_FAULTS -> scenario.database().isWrittenFirst() && scenario.faults();
            case WRITE_BEHIND -> scenario.database() == Backing.WRITE_BEHIND && scenario.isCalm();
            case INTERRUPTED_WRITE_BEHIND ->
                scenario.database() == Backing.WRITE_BEHIND
                        && scenario.interrupts()
                        && scenario.trouble() == Trouble.NONE;
            case INTERRUPTED_LOADS ->
                scenario.database().isRead() && scenario.interrupts() && scenario.trouble() == Trouble.NONE;
            case INTERRUPTS -> !written && scenario.interrupts() && scenario.trouble() == Trouble.NONE;
            case BUSY_INTERRUPTS -> !written && scenario.interrupts() && scenario.trouble() == Trouble.BUSY;
            case REFUSALS -> !written && scenario.trouble() == Trouble.REFUSALS;
            case RESETS -> !written && scenario.trouble() == Trouble.RESETS && !scenario.interrupts();
            case FAULTS -> !written && scenario.trouble() == Trouble.FAULTS && !scenario.interrupts();
            case ALONE_FAULTS -> !written && scenario.isAlone() && scenario.faults();
            case TRANSACTIONS -> scenario.hasTransactions() && plain;
        };
    }
}
