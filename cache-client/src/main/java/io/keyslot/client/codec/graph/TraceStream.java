// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes elements of a stack trace that print as they did. The public constructor makes elements that print more, so this
 * writes them down in the format of Java serialization and has them read.
 *
 * <p>What is read consists of numbers and texts in places that this class has chosen, whoever they came from.
 */
final class TraceStream {
    private static final List<String> TEXT_FIELDS =
            List.of("classLoaderName", "declaringClass", "fileName", "methodName", "moduleName", "moduleVersion");

    /** How many texts an element has: in the order of the fields' names. */
    static final int TEXTS = 6;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream output = new DataOutputStream(bytes);
    private final Map<String, Integer> handles = new HashMap<>();
    private int nextHandle = ObjectStreamConstants.baseWireHandle;
    private int elementClass;

    TraceStream(int length) {
        try {
            output.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            output.writeShort(ObjectStreamConstants.STREAM_VERSION);
            output.writeByte(ObjectStreamConstants.TC_ARRAY);
            beginClass(StackTraceElement[].class, 0);
            endClass();
            nextHandle++;
            output.writeInt(length);
        } catch (IOException e) {
            throw inMemory(e);
        }
    }

    /** Begins the next element. */
    void begin(byte format, int line) {
        try {
            output.writeByte(ObjectStreamConstants.TC_OBJECT);
            if (elementClass == 0) {
                writeElementClass();
            } else {
                output.writeByte(ObjectStreamConstants.TC_REFERENCE);
                output.writeInt(elementClass);
            }
            nextHandle++;
            output.writeByte(format);
            output.writeInt(line);
        } catch (IOException e) {
            throw inMemory(e);
        }
    }

    /** Adds the next text of the element. One that was there before is not copied. */
    void text(@Nullable String text) {
        try {
            Integer handle = text == null ? null : handles.get(text);
            if (text == null) {
                output.writeByte(ObjectStreamConstants.TC_NULL);
            } else if (handle != null) {
                output.writeByte(ObjectStreamConstants.TC_REFERENCE);
                output.writeInt(handle);
            } else {
                handles.put(text, nextHandle);
                writeString(text);
            }
        } catch (IOException e) {
            throw inMemory(e);
        }
    }

    StackTraceElement[] toTrace() {
        try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            StackTraceElement[] trace = (StackTraceElement[]) input.readObject();
            for (StackTraceElement element : trace) {
                if (isMissing(element.getClassName()) || isMissing(element.getMethodName())) {
                    throw new KryoException("An element of a stack trace has no class or no method");
                }
            }
            return trace;
        } catch (IOException | ClassNotFoundException e) {
            throw new KryoException("A stack trace could not be read", e);
        }
    }

    /** The JDK says that there is always one. */
    private static boolean isMissing(@Nullable String name) {
        return name == null;
    }

    private void writeElementClass() throws IOException {
        elementClass = nextHandle;
        beginClass(StackTraceElement.class, 2 + TEXTS);
        output.writeByte('B');
        output.writeUTF("format");
        output.writeByte('I');
        output.writeUTF("lineNumber");
        for (String field : TEXT_FIELDS) {
            output.writeByte('L');
            output.writeUTF(field);
            writeString("Ljava/lang/String;");
        }
        endClass();
    }

    private void beginClass(Class<?> type, int fields) throws IOException {
        nextHandle++;
        output.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        output.writeUTF(type.getName());
        output.writeLong(ObjectStreamClass.lookup(type).getSerialVersionUID());
        output.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
        output.writeShort(fields);
    }

    private void endClass() throws IOException {
        output.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        // no superclass
        output.writeByte(ObjectStreamConstants.TC_NULL);
    }

    private void writeString(String text) throws IOException {
        nextHandle++;
        output.writeByte(ObjectStreamConstants.TC_STRING);
        output.writeUTF(text);
    }

    /** Only a text of more than 65,535 bytes, which no name in a class file has. */
    private static UncheckedIOException inMemory(IOException e) {
        return new UncheckedIOException("a text of a stack trace is too long", e);
    }
}
