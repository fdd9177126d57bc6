// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;
import java.util.Set;
import java.util.stream.Collectors;

/** What became of a change. */
public sealed interface RegisterAnswer {
    /**
     * It was made, now or earlier.
     *
     * @param version of the text after it
     * @param decided the newest value that is known, which may be later ones' too
     */
    record Ok(long version, DecidedValue decided) implements RegisterAnswer {}

    /** It was not made, and never will be: the text has another version than the change expects. */
    record Conflict(DecidedValue decided) implements RegisterAnswer {}

    /** It was not made, and never will be: somebody else has taken over from who wanted it. */
    record Fenced(String by) implements RegisterAnswer {}

    /** It was not made, and never will be: the next value would break a rule. */
    record Invalid(String rule) implements RegisterAnswer {}

    /** It was not made, and never will be: the answer to a question about an earlier attempt. */
    record NotMade(DecidedValue decided) implements RegisterAnswer {}

    /** Nobody knows whether it was made, or will be: ask again. */
    record Unknown(String why) implements RegisterAnswer {}

    /**
     * It was not made, and never will be: too few electors answered, and nothing was sent.
     *
     * @param lost those that have no memory, or no vote
     * @param unreachable those that gave no answer
     */
    record Unavailable(Set<PartitionId> lost, Set<PartitionId> unreachable, String why) implements RegisterAnswer {
        @Override
        public String toString() {
            return why + naming("; without memory: ", lost) + naming("; no answer from: ", unreachable);
        }

        private static String naming(String what, Set<PartitionId> instances) {
            return instances.isEmpty()
                    ? ""
                    : what + instances.stream().map(PartitionId::name).sorted().collect(Collectors.joining(", "));
        }
    }

    /** Returns whether it is certain that the change was not made, and never will be. */
    default boolean isNo() {
        return !(this instanceof Ok) && !(this instanceof Unknown);
    }
}
