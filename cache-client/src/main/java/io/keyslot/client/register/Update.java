// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A change of the register, as a function of a decided value. Immutable and pure, because it is applied again if
 * another proposer was faster.
 */
public interface Update {
    /** Returns the unique id of the change, which repetitions share. */
    String operation();

    /** Returns the text version at the first attempt, or an earlier one. */
    long since();

    /** Applies the change to this value, which does not list it. */
    Verdict on(DecidedValue present);

    sealed interface Verdict {
        record Next(RegisterValue value) implements Verdict {}

        record No(RegisterAnswer answer) implements Verdict {}
    }

    /**
     * Replaces the text that has the version {@code since}. {@code leaving} lose their vote; {@code joining} get one,
     * in these incarnations. The objection says why it must not follow a value.
     */
    record Replace(
            String operation,
            String about,
            long since,
            String text,
            Set<PartitionId> leaving,
            Map<PartitionId, String> joining,
            Function<DecidedValue, Optional<RegisterAnswer>> objection)
            implements Update {
        public Replace {
            leaving = Set.copyOf(leaving);
            joining = Map.copyOf(joining);
        }

        @Override
        public Verdict on(DecidedValue present) {
            RegisterValue value = present.value();
            Optional<RegisterAnswer> refused = objection.apply(present);
            if (refused.isPresent()) {
                return new Verdict.No(refused.get());
            }
            if (value.version() != since) {
                return new Verdict.No(new RegisterAnswer.Conflict(present));
            }
            Voters next = value.voters().without(leaving, joining);
            return next.lives().size() % 2 == 0
                    ? new Verdict.No(new RegisterAnswer.Invalid("an odd number of instances must have a vote, not "
                            + next.lives().size()))
                    : new Verdict.Next(value.withText(operation, about, text, next));
        }
    }

    /**
     * Restores the vote of a voter that has lost its state; {@code before} is the incarnation in which it had the vote.
     */
    record ReturnVote(PartitionId instance, String before, String incarnation, long since) implements Update {
        @Override
        public String operation() {
            return "vote/" + instance + "/" + incarnation;
        }

        @Override
        public Verdict on(DecidedValue present) {
            RegisterValue value = present.value();
            return value.voters().incarnationAt(instance).filter(before::equals).isPresent()
                    ? new Verdict.Next(
                            value.withVoters(operation(), value.voters().with(instance, incarnation)))
                    : new Verdict.No(new RegisterAnswer.NotMade(present));
        }
    }

    /**
     * Ends the vote of the voters before a change of voters, through one more value by the same voters.
     * {@code sequence} is that of the value that changed them.
     */
    record Settle(long sequence, long since) implements Update {
        @Override
        public String operation() {
            return "settle/" + sequence;
        }

        @Override
        public Verdict on(DecidedValue present) {
            RegisterValue value = present.value();
            return value.isSettled()
                    ? new Verdict.No(new RegisterAnswer.NotMade(present))
                    : new Verdict.Next(value.withVoters(operation(), value.voters()));
        }
    }

    /**
     * Changes nothing: determines whether an earlier attempt was made, and ensures that it never will be if it was not.
     */
    record Resolve(String operation, long since) implements Update {
        @Override
        public Verdict on(DecidedValue present) {
            return new Verdict.No(new RegisterAnswer.NotMade(present));
        }
    }
}
