// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.partition.GroupCommand;
import java.util.Optional;

/** The state of an entry or aggregate as known to a run of a transaction's work. */
sealed interface Known permits KnownAggregate, KnownEntry {
    /** Returns the stamp at the time of the read; empty if it was only written. */
    Optional<GroupCommand.Expected> expected();

    /** Returns the stamp after the commit; empty if the run does not change it. */
    Optional<GroupCommand.Expected> afterwards();
}
