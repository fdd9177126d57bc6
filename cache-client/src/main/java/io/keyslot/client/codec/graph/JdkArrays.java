// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import io.keyslot.client.codec.graph.GraphType.Sharing;
import io.keyslot.client.codec.graph.JdkTypes.Table;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;

/** Arrays of primitives, of strings and of objects. */
final class JdkArrays {
    private JdkArrays() {}

    static void addTo(Table table) {
        add(
                table,
                40,
                boolean[].class,
                1,
                a -> a.length,
                (to, a) -> to.writeBooleans(a, 0, a.length),
                BoundedInput::readBooleans);
        add(table, 41, byte[].class, 1, a -> a.length, (to, a) -> to.writeBytes(a), BoundedInput::readBytes);
        add(
                table,
                42,
                char[].class,
                Character.BYTES,
                a -> a.length,
                (to, a) -> to.writeChars(a, 0, a.length),
                BoundedInput::readChars);
        add(
                table,
                43,
                short[].class,
                Short.BYTES,
                a -> a.length,
                (to, a) -> to.writeShorts(a, 0, a.length),
                BoundedInput::readShorts);
        add(
                table,
                44,
                int[].class,
                Integer.BYTES,
                a -> a.length,
                (to, a) -> to.writeInts(a, 0, a.length),
                BoundedInput::readInts);
        add(
                table,
                45,
                long[].class,
                Long.BYTES,
                a -> a.length,
                (to, a) -> to.writeLongs(a, 0, a.length),
                BoundedInput::readLongs);
        add(
                table,
                46,
                float[].class,
                Float.BYTES,
                a -> a.length,
                (to, a) -> to.writeFloats(a, 0, a.length),
                BoundedInput::readFloats);
        add(
                table,
                47,
                double[].class,
                Double.BYTES,
                a -> a.length,
                (to, a) -> to.writeDoubles(a, 0, a.length),
                BoundedInput::readDoubles);
        table.add(48, new ArraySerializer(String.class), Sharing.BY_IDENTITY, String[].class);
        table.add(49, new ArraySerializer(Object.class), Sharing.BY_IDENTITY, Object[].class);
    }

    private static <A> void add(
            Table table,
            int number,
            Class<A> type,
            int bytesEach,
            ToIntFunction<A> length,
            BiConsumer<ValueOutput, A> writer,
            BiFunction<BoundedInput, Integer, A> reader) {
        table.add(
                number,
                new Leaf<A>(
                        (to, array) -> {
                            to.writeVarInt(length.applyAsInt(array), true);
                            writer.accept(to, array);
                        },
                        from -> reader.apply(from, from.readLength(bytesEach))),
                Sharing.BY_IDENTITY,
                type);
    }
}
