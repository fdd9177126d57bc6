// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.client.concurrent.CallBudget;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.Reply;

/** Commits the recorded changes of a transaction in one step, and determines whether that succeeded. */
final class TransactionCommit {
    private final GroupCalls calls;
    private final OutcomeResolution resolution;

    TransactionCommit(GroupCalls calls, OutcomeResolution resolution) {
        this.calls = calls;
        this.resolution = resolution;
    }

    enum Progress {
        APPLIED,
        /** Another transaction changed what this one had read. */
        CONFLICT,
        /** The commit was lost and not applied; another attempt may use the remaining time. */
        LOST
    }

    /** Commits a run. Throws if the commit cannot be applied, or its outcome is unknown. */
    Progress of(TransactionRun run, CallBudget budget) {
        if (!run.isChange()) {
            return Progress.APPLIED;
        }
        Reply<GroupReply> reply = calls.ask(run.commit(), budget);
        if (reply instanceof Reply.Unknown<GroupReply> unknown) {
            return resolved(run, unknown, budget);
        }
        if (reply instanceof Reply.Refused<GroupReply> refused) {
            throw calls.failures().refused(budget.operation(), refused);
        }
        GroupReply answer = ((Reply.Done<GroupReply>) reply).value();
        if (answer instanceof GroupReply.Conflict) {
            return Progress.CONFLICT;
        }
        if (answer instanceof GroupReply.Applied) {
            return Progress.APPLIED;
        }
        throw calls.failures().notApplied(budget.operation(), run.readSet().nameOf(answer), answer);
    }

    private Progress resolved(TransactionRun run, Reply.Unknown<GroupReply> unknown, CallBudget budget) {
        OutcomeResolution.Outcome outcome = resolution.of(run, budget);
        if (outcome == OutcomeResolution.Outcome.UNKNOWN) {
            throw calls.failures().unknown(budget.operation(), false, unknown);
        }
        if (outcome == OutcomeResolution.Outcome.NOT_APPLIED) {
            return Progress.LOST;
        }
        calls.applied(run.commit());
        return Progress.APPLIED;
    }
}
