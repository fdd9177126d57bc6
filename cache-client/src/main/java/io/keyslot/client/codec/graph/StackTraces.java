// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.graph.TraceStream.Element;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stack traces: their texts, each once, and then the elements, which have their texts by number.
 *
 * <p>An element also says what of it is printed: neither the name of the application's class loader, nor the version of a
 * module of the JDK. That cannot be asked for, but it can be seen.
 */
final class StackTraces {
    /** Format, line and six texts have a byte each. */
    private static final int BYTES_PER_ELEMENT = 8;

    private static final int TEXTS = 6;
    private static final byte WITHOUT_CLASS_LOADER = 1;
    private static final byte WITHOUT_MODULE_VERSION = 2;
    private static final byte FORMATS = WITHOUT_CLASS_LOADER | WITHOUT_MODULE_VERSION;

    private StackTraces() {}

    static void write(ValueOutput output, StackTraceElement[] trace) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (StackTraceElement element : trace) {
            for (String text : textsOf(element)) {
                if (text != null) {
                    numbers.putIfAbsent(text, numbers.size() + 1);
                }
            }
        }
        output.writeVarInt(numbers.size(), true);
        numbers.keySet().forEach(output::writeString);
        output.writeVarInt(trace.length, true);
        for (StackTraceElement element : trace) {
            output.writeByte(formatOf(element));
            output.writeVarInt(element.getLineNumber(), false);
            for (String text : textsOf(element)) {
                output.writeVarInt(text == null ? 0 : numbers.getOrDefault(text, 0), true);
            }
        }
    }

    static StackTraceElement[] read(BoundedInput input) {
        String[] texts = new String[input.readLength(1)];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = input.readString();
        }
        int length = input.readLength(BYTES_PER_ELEMENT);
        Element[] elements = new Element[length];
        for (int i = 0; i < length; i++) {
            byte format = input.readByte();
            if ((format & ~FORMATS) != 0) {
                throw new KryoException("An element of a stack trace is malformed");
            }
            int line = input.readVarInt(false);
            @Nullable String[] ofElement = new @Nullable String[TEXTS];
            for (int text = 0; text < TEXTS; text++) {
                ofElement[text] = textOrNull(texts, input.readVarInt(true));
            }
            elements[i] = new Element(format, line, ofElement);
        }
        return TraceStream.toTrace(elements);
    }

    private static @Nullable String textOrNull(String[] texts, int number) {
        if (number < 0 || number > texts.length) {
            throw new KryoException("An element of a stack trace is malformed");
        }
        return number == 0 ? null : texts[number - 1];
    }

    /** In the order in which {@link Element} takes them. */
    private static @Nullable String[] textsOf(StackTraceElement element) {
        return new @Nullable String[] {
            element.getClassLoaderName(),
            element.getClassName(),
            element.getFileName(),
            element.getMethodName(),
            element.getModuleName(),
            element.getModuleVersion()
        };
    }

    private static byte formatOf(StackTraceElement element) {
        String printed = element.toString();
        String loader = element.getClassLoaderName();
        String version = element.getModuleVersion();
        int format = 0;
        if (loader != null && !printed.startsWith(loader + '/')) {
            format |= WITHOUT_CLASS_LOADER;
        }
        if (version != null && !printed.contains('@' + version + '/')) {
            format |= WITHOUT_MODULE_VERSION;
        }
        return (byte) format;
    }
}
