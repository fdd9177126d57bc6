// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.EncodedKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of a {@link GroupCommand}. Only {@link Applied} means that something was changed. */
public sealed interface GroupReply {
    /** All steps were executed. There is one answer for each step, null for steps without an answer. */
    record Applied(List<@Nullable Object> answers) implements GroupReply {
        public Applied {
            answers = Collections.unmodifiableList(new ArrayList<>(answers));
        }
    }

    record Conflict(EncodedKey key) implements GroupReply {}

    /** A key has another type; {@code found} is its name as the {@code TYPE} command reports it. */
    record WrongType(EncodedKey key, String found) implements GroupReply {}

    /** The operation cannot be applied to the stored value, for example a sum with text; the detail has no content. */
    record Impossible(EncodedKey key, String detail) implements GroupReply {}

    /** The group's lock has another token, or is free. */
    record LockLost() implements GroupReply {}
}
