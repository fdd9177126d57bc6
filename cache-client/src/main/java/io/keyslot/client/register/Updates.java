// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The changes of a register. */
public final class Updates {
    private Updates() {}

    /** What speaks against replacing a value. Pure. */
    @FunctionalInterface
    public interface Objection {
        /** There is none. */
        Objection NONE = present -> Optional.empty();

        /** Returns why the value is not to be replaced. */
        Optional<RegisterAnswer> to(DecidedValue present);
    }

    /**
     * Replaces the text.
     *
     * @param about what is to be known of the change, for people
     * @param since the version that it replaces
     * @param leaving instances that lose their vote
     * @param joining instances that get one, in the life that they have
     * @param objection what is to be said against it besides
     */
    public record Replace(
            String operation,
            String about,
            long since,
            String text,
            Set<PartitionId> leaving,
            Map<PartitionId, String> joining,
            Objection objection)
            implements Update {
        public Replace {
            leaving = Set.copyOf(leaving);
            joining = Map.copyOf(joining);
        }

        @Override
        public Verdict on(DecidedValue present) {
            RegisterValue value = present.value();
            Optional<RegisterAnswer> refused = objection.to(present);
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
     * Gives an elector that has lost its memory its vote back, in the life that it has now.
     *
     * @param before the life in which it had the vote
     */
    public record ReturnVote(PartitionId instance, String before, String incarnation, long since) implements Update {
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
     * Ends the say of those who decided before the electors were changed, by one more value of the same electors.
     *
     * @param sequence of the value that changed them
     */
    public record Settle(long sequence, long since) implements Update {
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

    /** Changes nothing: finds out whether an earlier attempt was made, and sees to it that it never will be if not. */
    public record Resolve(String operation, long since) implements Update {
        @Override
        public Verdict on(DecidedValue present) {
            return new Verdict.No(new RegisterAnswer.NotMade(present));
        }
    }
}
