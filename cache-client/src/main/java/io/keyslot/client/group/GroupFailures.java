// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.LockLostException;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;

/** Turns what is known after a command to a group into what the application sees. */
final class GroupFailures {
    private final String root;
    private final Failures failures;

    /** @param root the text of the group's root */
    GroupFailures(String root, Failures failures) {
        this.root = root;
        this.failures = failures;
    }

    /** Returns what to throw if the command was not executed. */
    public KeyslotException refused(String operation, Reply.Refused<?> refused) {
        return failures.of(operation, refused);
    }

    /**
     * Returns what to throw if nobody knows whether the command was executed.
     *
     * @param changesNothing whether it is all the same
     */
    public KeyslotException unknown(String operation, boolean changesNothing, Reply.Unknown<?> unknown) {
        return changesNothing ? failures.ofRead(operation, unknown) : failures.ofChange(operation, unknown);
    }

    /** Returns what to throw if the command was not applied, for another reason than a conflict. */
    public RuntimeException notApplied(String operation, String asked, GroupReply reply) {
        if (reply instanceof GroupReply.WrongType wrong) {
            return new WrongTypeException(
                    "Group %s: %s was not done: there is a %s under %s, which is to be a %s; use another name or remove it"
                            .formatted(root, operation, wrong.found(), nameOf(wrong.key()), asked));
        }
        if (reply instanceof GroupReply.Impossible impossible) {
            return new ArithmeticException("Group %s: %s was not done to %s: %s"
                    .formatted(root, operation, nameOf(impossible.key()), impossible.detail()));
        }
        if (reply instanceof GroupReply.LockLost) {
            return new LockLostException(
                    "Group %s: %s was not done: the lock of the group is not held any more; take it again, and read again what was read under it"
                            .formatted(root, operation));
        }
        return new IllegalStateException("Group %s: %s was answered with %s".formatted(root, operation, reply));
    }

    /** Returns the entity type, which is no content. */
    private static String nameOf(EncodedKey key) {
        String text = key.text();
        return text.substring(0, text.indexOf(':'));
    }
}
