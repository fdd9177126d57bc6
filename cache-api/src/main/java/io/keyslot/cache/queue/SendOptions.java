// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.queue;

import org.jspecify.annotations.Nullable;

/**
 * What a message belongs to. Session, partition key and id, the first one that is given, select the fragment: while its
 * partition is missing, the message is refused. Each has 1 to {@value #LONGEST} characters.
 *
 * @param session the name of the session whose order the message keeps, or null
 * @param partitionKey selects the fragment, or null. A message with a session has the same partition key or none
 * @param messageId a message with this id is stored once within the {@code duplicateWindow} of the queue, in one session or
 *     with one partition key, or without; null if there may be duplicates
 */
public record SendOptions(
        @Nullable String session,
        @Nullable String partitionKey,
        @Nullable String messageId) {
    /** A message that may be in any fragment. */
    public static final SendOptions NONE = new SendOptions(null, null, null);

    private static final int LONGEST = 128;

    public SendOptions {
        check("session", session);
        check("partition key", partitionKey);
        check("message id", messageId);
        if (session != null && partitionKey != null && !session.equals(partitionKey)) {
            throw new IllegalArgumentException(
                    "Send options: the partition key is not the session, which selects the fragment too; leave out the partition key");
        }
    }

    private static void check(String what, @Nullable String text) {
        if (text != null && (text.isEmpty() || text.length() > LONGEST)) {
            throw new IllegalArgumentException("Send options: the %s has %d characters, must have 1 to %d"
                    .formatted(what, text.length(), LONGEST));
        }
    }

    /** Returns options for a message of a session. */
    public static SendOptions inSession(String session) {
        return new SendOptions(session, null, null);
    }

    /** Returns options for a message in the fragment of a key. */
    public static SendOptions byKey(String partitionKey) {
        return new SendOptions(null, partitionKey, null);
    }

    /** Returns options for a message that is stored once. */
    public static SendOptions once(String messageId) {
        return NONE.withMessageId(messageId);
    }

    /** Returns these options with a message id. */
    public SendOptions withMessageId(String id) {
        return new SendOptions(session, partitionKey, id);
    }

    /** Returns these options with a partition key. */
    public SendOptions withPartitionKey(String key) {
        return new SendOptions(session, key, messageId);
    }
}
