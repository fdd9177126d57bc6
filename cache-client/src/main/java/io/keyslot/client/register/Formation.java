// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.register.AcceptorAnswer.Accepted;
import io.keyslot.client.register.AcceptorAnswer.Begun;
import io.keyslot.client.register.AcceptorAnswer.Viewed;
import io.keyslot.client.register.AcceptorRequest.Accept;
import io.keyslot.client.register.AcceptorRequest.Begin;
import io.keyslot.client.register.Round.Sending;
import io.keyslot.slot.PartitionId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The start of a generation of a register: each voter starts an incarnation if it is in the state of {@code report};
 * then all of them accept the first value, which follows {@code before} and has its text. Of two concurrent formations
 * at most one succeeds: either the second has read what the first changed, or it replaces incarnations, all of which
 * the first needs. Immutable; pure. The answer is null while it is pending.
 */
record Formation(
        Terms terms,
        RegisterValue before,
        Map<PartitionId, Viewed> report,
        Map<PartitionId, String> lives,
        Map<PartitionId, String> accepted,
        @Nullable RegisterAnswer answer) {
    /** The parameters: a unique nonce for incarnations, the id of this change, and a description for people. */
    record Terms(Generation generation, String proposer, String nonce, String operation, String about) {}

    record Step(Formation formation, List<Sending> sendings) {}

    static Step begin(Terms terms, RegisterValue before, Map<PartitionId, Viewed> report) {
        Formation beginning = new Formation(terms, before, new TreeMap<>(report), Map.of(), Map.of(), null);
        return new Step(
                beginning,
                beginning.report.entrySet().stream()
                        .map(seen -> new Sending(
                                seen.getKey(),
                                new Begin(
                                        terms.generation(),
                                        terms.nonce(),
                                        seen.getValue().mark())))
                        .toList());
    }

    Step on(PartitionId from, AcceptorRequest request, AcceptorAnswer given) {
        if (answer != null) {
            return stay();
        }
        if (request instanceof Begin) {
            return given instanceof Begun begun
                    ? new Formation(terms, before, report, with(lives, from, begun.incarnation()), accepted, null)
                            .begun()
                    : over(new RegisterAnswer.Unavailable(
                                    Set.of(),
                                    given instanceof AcceptorAnswer.Silent ? Set.of(from) : Set.of(),
                                    "%s is not as it was seen, or does not answer: nothing is decided; look again"
                                            .formatted(from)))
                            .stay();
        }
        return given instanceof Accepted taken
                ? new Formation(terms, before, report, lives, with(accepted, from, taken.incarnation()), null).taken()
                : over(new RegisterAnswer.Unknown("%s has not taken the first value; look again".formatted(from)))
                        .stay();
    }

    private static Map<PartitionId, String> with(Map<PartitionId, String> map, PartitionId key, String value) {
        Map<PartitionId, String> next = new TreeMap<>(map);
        next.put(key, value);
        return next;
    }

    private Step stay() {
        return new Step(this, List.of());
    }

    private Formation over(RegisterAnswer end) {
        return new Formation(terms, before, report, lives, accepted, end);
    }

    private RegisterValue first() {
        return RegisterValue.first(
                before.sequence() + 1,
                before.version() + 1,
                before.text(),
                new Voters(lives),
                new RegisterChange(terms.operation(), before.version() + 1, terms.about()));
    }

    /** Uses the lowest ballot: a voter that has promised anything since must not accept it. */
    private Step begun() {
        if (!lives.keySet().equals(report.keySet())) {
            return stay();
        }
        RegisterValue first = first();
        Ballot lowest = Ballot.of(0, terms.proposer());
        return new Step(
                this,
                lives.keySet().stream()
                        .map(each -> new Sending(each, Accept.at(each, terms.generation(), lowest, first)))
                        .toList());
    }

    private Step taken() {
        RegisterValue first = first();
        return first.voters()
                        .isAll(accepted.entrySet().stream()
                                .map(taken -> new Voters.Voter(taken.getKey(), taken.getValue()))
                                .toList())
                ? over(new RegisterAnswer.Ok(first.version(), new DecidedValue(terms.generation(), first)))
                        .stay()
                : stay();
    }
}
