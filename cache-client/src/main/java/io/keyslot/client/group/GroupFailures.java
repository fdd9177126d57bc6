// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.group;

import io.keyslot.cache.failure.KeyslotException;
import io.keyslot.cache.failure.LockLostException;
import io.keyslot.cache.failure.WrongTypeException;
import io.keyslot.client.entry.Failures;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.EncodedKey;

/** Creates the exceptions for failed commands to a group. */
final class GroupFailures {
    private final String root;
    private final Failures failures;

    GroupFailures(String root, Failures failures) {
        this.root = root;
        this.failures = failures;
    }

    public KeyslotException refused(String operation, Reply.Refused<?> refused) {
        return failures.of(operation, refused);
    }

    public KeyslotException unknown(String operation, boolean changesNothing, Reply.Unknown<?> unknown) {
        return changesNothing ? failures.ofRead(operation, unknown) : failures.ofChange(operation, unknown);
    }

    /** Returns the exception for a command that was not applied, except for a conflict. */
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

    /** Returns the entity type, which contains no content. */
    private static String nameOf(EncodedKey key) {
        String text = key.text();
        return text.substring(0, text.indexOf(':'));
    }
}
