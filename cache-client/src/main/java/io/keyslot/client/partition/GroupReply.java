// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of a {@link GroupCommand}. Unless it was applied, nothing was changed. */
public sealed interface GroupReply {
    /**
     * All steps were done.
     *
     * @param answers one for each step, null where the step says so
     */
    record Applied(List<@Nullable Object> answers) implements GroupReply {
        public Applied {
            answers = Collections.unmodifiableList(new ArrayList<>(answers));
        }
    }

    /** Something has another stamp than was expected. */
    record Conflict(EncodedKey key) implements GroupReply {}

    /**
     * There is something of another type.
     *
     * @param found what the {@code TYPE} command of a server calls it
     */
    record WrongType(EncodedKey key, String found) implements GroupReply {}

    /**
     * An operation cannot be done to what is there: a sum with what is no number, or one that is too large.
     *
     * @param detail for messages; without content
     */
    record Impossible(EncodedKey key, String detail) implements GroupReply {}

    /** The group's lock has another token, or none. */
    record LockLost() implements GroupReply {}
}
