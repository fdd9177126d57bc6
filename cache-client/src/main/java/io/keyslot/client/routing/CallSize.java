// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.Command.TrackedLookup;
import io.keyslot.client.partition.GroupCommand;
import io.keyslot.client.partition.GroupReply;
import io.keyslot.client.partition.GroupStep;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.stored.Element;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import io.keyslot.client.stored.Lookup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Estimates the bytes of keys and values of a command and its reply. Pure. */
final class CallSize {
    private CallSize() {}

    static @Nullable EncodedKey keyOf(Command<?> command) {
        if (command instanceof Command.OfKey<?> ofKey) {
            return ofKey.key();
        }
        if (command instanceof Command.Put put) {
            return put.key();
        }
        List<EncodedKey> keys = command.keys();
        return keys.isEmpty() ? null : keys.get(0);
    }

    /** Returns all keys that a command may change. */
    static List<EncodedKey> keysOf(Command<?> command) {
        return command instanceof GroupCommand ? command.consulted() : command.keys();
    }

    static long of(Command<?> command, @Nullable Reply<?> reply) {
        return sent(command) + answered(reply);
    }

    static long of(Object item, EncodedKey key, @Nullable Reply<?> reply) {
        return (item instanceof Command.Put put ? sent(put) : key.length()) + answered(reply);
    }

    private static long sent(Command<?> command) {
        if (command instanceof Command.Put put) {
            return (long) put.key().length() + put.envelope().sizeBytes();
        }
        if (command instanceof Command.CompareAndSet set) {
            return (long) set.key().length() + set.envelope().sizeBytes();
        }
        if (command instanceof GroupCommand group) {
            return group.steps().stream().mapToLong(CallSize::sent).sum();
        }
        EncodedKey key = keyOf(command);
        return key == null ? 0 : key.length();
    }

    private static long sent(GroupStep step) {
        long bytes = step.key().length();
        if (step instanceof GroupStep.PutEntry put) {
            bytes += put.envelope().sizeBytes();
        } else if (step instanceof GroupStep.Apply apply) {
            bytes += apply.arguments().stream().mapToLong(Element::length).sum();
        }
        return bytes;
    }

    private static long answered(@Nullable Reply<?> reply) {
        return reply instanceof Reply.Done<?> done ? sizeOf(done.value()) : 0;
    }

    private static long sizeOf(@Nullable Object answer) {
        if (answer instanceof Lookup lookup) {
            Envelope found = lookup.envelope();
            return found == null ? 0 : found.sizeBytes();
        }
        if (answer instanceof TrackedLookup tracked) {
            return sizeOf(tracked.lookup());
        }
        if (answer instanceof Element element) {
            return element.length();
        }
        if (answer instanceof GroupReply.Applied applied) {
            return sizeOf(applied.answers());
        }
        if (answer instanceof GroupStep.Contents contents) {
            return sizeOf(contents.elements());
        }
        if (answer instanceof List<?> all) {
            return all.stream().mapToLong(CallSize::sizeOf).sum();
        }
        return 0;
    }
}
