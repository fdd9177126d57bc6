// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.register.AcceptorAnswer.Accepted;
import io.keyslot.client.register.AcceptorAnswer.Begun;
import io.keyslot.client.register.AcceptorAnswer.Behind;
import io.keyslot.client.register.AcceptorAnswer.Changed;
import io.keyslot.client.register.AcceptorAnswer.Copied;
import io.keyslot.client.register.AcceptorAnswer.Incarnations;
import io.keyslot.client.register.AcceptorAnswer.Lost;
import io.keyslot.client.register.AcceptorAnswer.NoVote;
import io.keyslot.client.register.AcceptorAnswer.OtherGeneration;
import io.keyslot.client.register.AcceptorAnswer.Promised;
import io.keyslot.client.register.AcceptorAnswer.Rival;
import io.keyslot.client.register.AcceptorAnswer.Stamped;
import io.keyslot.client.register.AcceptorAnswer.Viewed;
import org.jspecify.annotations.Nullable;

/**
 * The register state of one instance and its transitions: the semantics of {@link AcceptorRequest}, which the server
 * scripts implement too. Immutable; pure.
 *
 * <ul>
 *   <li>An instance votes in one incarnation, which ends with its state. After a restart or a promotion, an existing
 *       state is not an incarnation, because it may be incomplete.
 *   <li>It promises strictly increasing ballots, and accepts nothing under a lower ballot than it has promised.
 *   <li>It keeps a decided copy independent of incarnations.
 * </ul>
 *
 * <p>{@code generation} is null and {@code incarnation} empty if there was never one; {@code serverRun} is the run of
 * the server in which the incarnation began.
 */
public record AcceptorState(
        @Nullable Generation generation,
        String incarnation,
        String serverRun,
        Ballot promise,
        Ballot ballot,
        @Nullable RegisterValue value,
        @Nullable DecidedValue copy) {
    public static final AcceptorState BLANK = new AcceptorState(null, "", "", Ballot.NONE, Ballot.NONE, null, null);

    public record Applied(AcceptorState state, AcceptorAnswer answer) {}

    /** Applies a request at a server's run and time; the time differs for each request. */
    public Applied on(AcceptorRequest request, String presentServerRun, String time) {
        if (request instanceof AcceptorRequest.Begin begin) {
            return begin(begin, presentServerRun, time);
        }
        if (request instanceof AcceptorRequest.Prepare prepare) {
            return prepare(prepare, presentServerRun);
        }
        if (request instanceof AcceptorRequest.Accept accept) {
            return accept(accept, presentServerRun);
        }
        if (request instanceof AcceptorRequest.Copy copying) {
            return copy(copying.decided());
        }
        return same(
                request instanceof AcceptorRequest.ReadStamp
                        ? new Stamped(copy == null ? null : copy.stamp(), isAlive(presentServerRun) ? incarnation : "")
                        : new Viewed(generation, incarnation, isAlive(presentServerRun), promise, ballot, value, copy));
    }

    private boolean isAlive(String presentServerRun) {
        return !incarnation.isEmpty() && serverRun.equals(presentServerRun);
    }

    private Applied same(AcceptorAnswer answer) {
        return new Applied(this, answer);
    }

    private Applied begin(AcceptorRequest.Begin begin, String presentServerRun, String time) {
        if (begin.expected().equals(AcceptorRequest.Begin.LOST)) {
            if (isAlive(presentServerRun)) {
                return same(new Incarnations(incarnation));
            }
        } else if (!begin.expected().equals(incarnation + "/" + ballot.text())) {
            return same(new Changed(incarnation, ballot));
        }
        String next = begin.nonce() + "-" + time;
        return new Applied(
                new AcceptorState(begin.generation(), next, presentServerRun, Ballot.NONE, Ballot.NONE, null, copy),
                new Begun(next));
    }

    private Applied prepare(AcceptorRequest.Prepare prepare, String presentServerRun) {
        AcceptorAnswer objection = objection(prepare.generation(), presentServerRun);
        if (objection != null) {
            return same(objection);
        }
        if (prepare.ballot().compareTo(promise) <= 0) {
            return same(new Behind(promise));
        }
        return new Applied(
                new AcceptorState(generation, incarnation, serverRun, prepare.ballot(), ballot, value, copy),
                new Promised(incarnation, ballot, value));
    }

    private Applied accept(AcceptorRequest.Accept accept, String presentServerRun) {
        AcceptorAnswer objection = objection(accept.generation(), presentServerRun);
        if (objection != null) {
            return same(objection);
        }
        if (!incarnation.equals(accept.voter()) && !incarnation.equals(accept.previous())) {
            return same(new NoVote(incarnation));
        }
        if (accept.ballot().compareTo(promise) < 0) {
            return same(new Behind(promise));
        }
        return new Applied(
                new AcceptorState(
                        generation, incarnation, serverRun, accept.ballot(), accept.ballot(), accept.value(), copy),
                new Accepted(incarnation));
    }

    private @Nullable AcceptorAnswer objection(Generation asked, String presentServerRun) {
        if (generation == null || !isAlive(presentServerRun)) {
            return new Lost();
        }
        return generation.equals(asked) ? null : new OtherGeneration(generation);
    }

    private Applied copy(DecidedValue decided) {
        if (copy != null && decided.stamp().isRivalOf(copy.stamp())) {
            return same(new Rival(copy.generation()));
        }
        if (copy != null && !decided.stamp().isAfter(copy.stamp())) {
            return same(new Copied());
        }
        return new Applied(
                new AcceptorState(generation, incarnation, serverRun, promise, ballot, value, decided), new Copied());
    }
}
