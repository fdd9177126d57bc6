// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.PartitionStatus;
import io.keyslot.cluster.terminal.Terminal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Formats failures as one line. */
final class ErrorLine {
    private static final String PREFIX = "keyslot: ";

    private ErrorLine() {}

    /** Prints the message on standard error. */
    public static void print(Terminal terminal, String message) {
        terminal.err().println(of(message));
    }

    public static String of(String message) {
        return PREFIX + message.strip().replaceAll(":\\s*\\R\\s*", ": ").replaceAll("\\s*\\R\\s*", "; ");
    }

    /** Returns the message of a failure, and that of its cause if it adds information. */
    public static String of(Throwable failure) {
        String message = messageOf(failure);
        Throwable cause = failure.getCause();
        return of(cause == null || message.contains(messageOf(cause)) ? message : message + ": " + messageOf(cause));
    }

    public static String of(PartitionStatus partition) {
        return of("Partition %s at %s is %s: %s"
                .formatted(
                        partition.id(),
                        partition.address(),
                        ConstantText.of(partition.state()),
                        Objects.requireNonNullElse(partition.problem(), "it did not answer this time")));
    }

    /** Returns the message, or the class name if there is none. */
    public static String messageOf(Throwable failure) {
        @Nullable String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
