// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.slot.PartitionId;
import java.util.Set;
import java.util.stream.Collectors;

public sealed interface RegisterAnswer {
    /**
     * It was made, now or earlier. {@code version} is that of its text; {@code decided} may already include later
     * changes.
     */
    record Ok(long version, DecidedValue decided) implements RegisterAnswer {}

    /** It was not made and never will be: the text has another version than expected. */
    record Conflict(DecidedValue decided) implements RegisterAnswer {}

    /** It was not made and never will be: another coordinator has taken over. */
    record Fenced(String by) implements RegisterAnswer {}

    /** It was not made and never will be: the next value would break a rule. */
    record Invalid(String rule) implements RegisterAnswer {}

    /** It was not made and never will be; answers a question about an earlier attempt. */
    record NotMade(DecidedValue decided) implements RegisterAnswer {}

    /** It may have been made, or may still be; ask again. */
    record Unknown(String why) implements RegisterAnswer {}

    /**
     * It was not made and never will be: too few voters answered, and nothing was sent. {@code lost} have no state or
     * no vote; {@code unreachable} did not answer.
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
}
