// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.partition.GroupCommand;
import java.util.Optional;

/** Something of which a run of a transaction's work knows how it is. */
sealed interface Known permits KnownAggregate, KnownEntry {
    /** Returns the stamp that it had when it was read; empty if it was not, as it was only written. */
    Optional<GroupCommand.Expected> expected();

    /** Returns the stamp that it has when the changes are applied; empty if the run leaves its stamp as it is. */
    Optional<GroupCommand.Expected> afterwards();
}
