// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Makes elements of a stack trace that print as they did. The public constructor makes elements that print more, so elements of
 * ours, with the same fields, are written by Java serialization under the name of the JDK's class, and read again.
 *
 * <p>No stored byte is read as such a stream: what is read has been written here.
 */
final class TraceStream extends ObjectOutputStream {
    private TraceStream(ByteArrayOutputStream bytes) throws IOException {
        super(bytes);
    }

    static StackTraceElement[] toTrace(Element[] elements) {
        StackTraceElement[] trace = new StackTraceElement[elements.length];
        if (trace.length > 0) {
            fill(trace, elements);
        }
        return trace;
    }

    private static void fill(StackTraceElement[] trace, Element[] elements) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceStream output = new TraceStream(bytes)) {
            for (Element element : elements) {
                output.writeObject(element);
            }
            output.flush();
            ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
            for (int i = 0; i < trace.length; i++) {
                trace[i] = (StackTraceElement) input.readObject();
            }
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException("a stream in memory failed", e);
        }
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
        super.writeClassDescriptor(ObjectStreamClass.lookup(StackTraceElement.class));
    }

    /** The fields of {@link StackTraceElement}, by the names that they have there. */
    @SuppressWarnings("unused") // Java serialization reads the fields.
    static final class Element implements Serializable {
        private static final long serialVersionUID = 1L;

        private final byte format;
        private final int lineNumber;
        private final @Nullable String classLoaderName;
        private final @Nullable String declaringClass;
        private final @Nullable String fileName;
        private final @Nullable String methodName;
        private final @Nullable String moduleName;
        private final @Nullable String moduleVersion;

        /** Takes the texts in the order of the names of their fields. */
        Element(byte format, int line, @Nullable String[] texts) {
            this.format = format;
            this.lineNumber = line;
            this.classLoaderName = texts[0];
            this.declaringClass = texts[1];
            this.fileName = texts[2];
            this.methodName = texts[3];
            this.moduleName = texts[4];
            this.moduleVersion = texts[5];
        }
    }
}
