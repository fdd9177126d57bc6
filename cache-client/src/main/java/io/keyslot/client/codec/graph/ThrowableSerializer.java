// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.allow.ClassRefusal;
import io.keyslot.client.codec.allow.KnownClasses;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Exceptions: what the JDK's part is made of, the stack trace, the application's fields, the cause, the suppressed ones.
 *
 * <p>An exception is made by a constructor of the JDK and completed by public methods. So nothing of a forged one can be
 * what its class does not expect, and no {@code readObject} of the JDK's exceptions runs.
 */
final class ThrowableSerializer extends FieldsSerializer {
    private final ThrowableParts<?> parts;
    private final Constructor<?> constructor;
    private final @Nullable Method readResolve;

    private ThrowableSerializer(
            Slots slots,
            Slot[] order,
            ThrowableParts<?> parts,
            Constructor<?> constructor,
            @Nullable Method readResolve) {
        super(slots, order);
        this.parts = parts;
        this.constructor = constructor;
        this.readResolve = readResolve;
    }

    /** Returns the serializer of a class that {@linkplain ThrowableParts#of has parts}. */
    static ThrowableSerializer of(Class<?> type) {
        ThrowableParts<?> parts = ThrowableParts.of(type);
        if (parts == null) {
            throw new IllegalArgumentException(type.getName());
        }
        Slots slots = Slots.of(type, parts.type());
        Method readResolve = KnownClasses.isJdk(type.getName()) ? null : SerialMethods.readResolve(type);
        return new ThrowableSerializer(slots, slots.own(), parts, parts.constructorFor(type), readResolve);
    }

    @Override
    ThrowableSerializer reading(Slot[] otherOrder) {
        return new ThrowableSerializer(slots(), otherOrder, parts, constructor, readResolve);
    }

    @Override
    void write(Graph graph, ValueOutput output, Object value) {
        Throwable throwable = (Throwable) value;
        if (graph.isOneThrowableTooMany()) {
            throw ClassRefusal.of(
                    Types.CODEC,
                    throwable.getClass(),
                    "is one of more than %d exceptions in a value".formatted(Graph.MOST_THROWABLES));
        }
        int id = graph.references().beginBuilt();
        for (Object part : parts.of(throwable)) {
            graph.writeValue(output, part);
        }
        graph.references().endBuilt(id);
        StackTraces.write(output, throwable.getStackTrace());
        writeParts(graph, output, throwable);
        graph.writeValue(output, throwable.getCause());
        Throwable[] suppressed = throwable.getSuppressed();
        output.writeVarInt(suppressed.length, true);
        for (Throwable one : suppressed) {
            graph.writeValue(output, one);
        }
    }

    @Override
    @Nullable
    Object read(Graph graph, BoundedInput input) {
        if (graph.isOneThrowableTooMany()) {
            throw new KryoException("A value has too many exceptions");
        }
        int id = graph.references().newestReadId();
        @Nullable Object[] values = new @Nullable Object[parts.count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = graph.readValue(input);
        }
        Throwable throwable = parts.construct(constructor, values);
        graph.reference(throwable);
        throwable.setStackTrace(StackTraces.read(input));
        readParts(graph, input, throwable);
        readCause(graph, input, throwable);
        int suppressed = input.readLength(1);
        for (int i = 0; i < suppressed; i++) {
            throwable.addSuppressed((Throwable) graph.readValue(input));
        }
        parts.finish(throwable, values);
        return ObjectSerializer.resolve(graph, id, throwable, readResolve);
    }

    /** The constructor may have set it, and some exceptions find it in a field of theirs. */
    @SuppressWarnings("ReferenceEquality") // an exception may be equal to another one
    private static void readCause(Graph graph, BoundedInput input, Throwable throwable) {
        Throwable cause = (Throwable) graph.readValue(input);
        if (throwable.getCause() != cause) {
            throwable.initCause(cause);
        }
        if (throwable.getCause() != cause) {
            throw new KryoException("The cause of an exception is not the one that it had");
        }
    }
}
