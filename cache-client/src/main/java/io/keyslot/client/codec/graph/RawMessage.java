// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.allow.ClassRefusal;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the message that an exception was made with, where its class says something else: with a suffix of its own, for
 * instance, which would be there twice when the exception has been read again.
 *
 * <p>Nobody but Java serialization is shown that field. It begins with the fields of {@code Throwable}: the cause, the
 * message, the stack trace, of which those that are null are not shown. It is stopped there, so that nothing of the class
 * itself runs.
 */
final class RawMessage extends ObjectOutputStream {
    private final Throwable owner;
    private @Nullable String message;
    private boolean complete;

    private RawMessage(Throwable owner) throws IOException {
        super(OutputStream.nullOutputStream());
        this.owner = owner;
        enableReplaceObject(true);
    }

    static @Nullable String of(Throwable throwable) {
        if (!isOverridden(throwable)) {
            return throwable.getMessage();
        }
        try (RawMessage search = new RawMessage(throwable)) {
            try {
                search.writeObject(throwable);
            } catch (Complete expected) {
                return search.message;
            }
        } catch (IOException e) {
            throw ClassRefusal.of(Types.CODEC, throwable.getClass(), "could not be encoded", e);
        }
        throw ClassRefusal.of(Types.CODEC, throwable.getClass(), "has no message that could be read");
    }

    private static boolean isOverridden(Throwable throwable) {
        try {
            Class<?> owner = throwable.getClass().getMethod("getMessage").getDeclaringClass();
            // What a NullPointerException says about its origin can only be found out where it was thrown.
            return owner != Throwable.class && owner != NullPointerException.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("every exception has a message", e);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // this very exception is written
    protected @Nullable Object replaceObject(Object object) throws IOException {
        if (object == owner) {
            return object;
        }
        if (object instanceof StackTraceElement[] && !complete) {
            complete = true;
            throw new Complete();
        }
        if (object instanceof String text && !complete) {
            message = text;
        }
        // Also what the JDK writes about an exception that ended the writing.
        return null;
    }

    private static final class Complete extends IOException {}
}
