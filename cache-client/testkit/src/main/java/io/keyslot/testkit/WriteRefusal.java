// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupListing;
import io.keyslot.client.partition.PushCommand;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;

/** Why a partition executes reads and refuses writes. */
public enum WriteRefusal {
    /** {@code MISCONF} or {@code NOREPLICAS}: the server cannot save, or lacks replicas. All writes are refused. */
    NOT_SAVED(Refusal.NOT_WRITABLE, "MISCONF"),
    /** {@code OOM}: the server has no memory left. Commands that only delete are executed. */
    FULL(Refusal.NOT_WRITABLE, "OOM"),
    /** {@code NOPERM}: the user must not write. All writes are refused. */
    FORBIDDEN(Refusal.FORBIDDEN, "NOPERM");

    private final Refusal refusal;
    private final String code;

    WriteRefusal(Refusal refusal, String code) {
        this.refusal = refusal;
        this.code = code;
    }

    boolean refuses(Command<?> command) {
        boolean onlyDeletes = command instanceof Command.RemoveAll || command instanceof Command.GetAndRemove;
        return isWrite(command) && !(this == FULL && onlyDeletes);
    }

    <R> Reply<R> reply() {
        return Reply.refused(refusal, code);
    }

    private static boolean isWrite(Command<?> command) {
        if (command instanceof GroupListing<?> listing) {
            return !(listing instanceof GroupListing.Rows
                    || listing instanceof GroupListing.Names
                    || listing instanceof GroupListing.Aggregates
                    || listing instanceof GroupListing.Weigh);
        }
        if (command instanceof GroupCommand group) {
            return !group.isRepeatable();
        }
        return !(command instanceof Command.Get
                || command instanceof Command.GetAll
                || command instanceof Command.Describe
                || command instanceof Command.Scan
                || command instanceof PushCommand.Track);
    }
}
