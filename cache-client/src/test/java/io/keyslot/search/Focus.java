// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.search.Scenario.Backing;
import io.keyslot.search.Scenario.Trouble;

/** Scenarios among which a search finds a certain kind of defect soon. */
enum Focus {
    ANY,
    PLAIN,
    WRITE_THROUGH,
    WRITE_BEHIND,
    REPLICATED_WRITE_BEHIND,
    INTERRUPTS,
    REFUSALS,
    RESETS,
    FAULTS;

    boolean wants(Scenario scenario) {
        boolean written = scenario.database().isWritten();
        return switch (this) {
            case ANY -> true;
            case PLAIN -> scenario.database() == Backing.NOTHING && scenario.isCalm();
            case WRITE_THROUGH -> scenario.database().isWrittenFirst() && scenario.isCalm();
            case WRITE_BEHIND -> scenario.database() == Backing.WRITE_BEHIND && scenario.isCalm();
            case REPLICATED_WRITE_BEHIND -> WRITE_BEHIND.wants(scenario) && scenario.replicated();
            case INTERRUPTS -> !written && scenario.interrupts() && scenario.trouble() == Trouble.NONE;
            case REFUSALS -> !written && scenario.trouble() == Trouble.REFUSALS;
            case RESETS -> !written && scenario.trouble() == Trouble.RESETS && !scenario.interrupts();
            case FAULTS -> !written && scenario.trouble() == Trouble.FAULTS && !scenario.interrupts();
        };
    }
}
