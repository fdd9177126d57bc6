// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import io.keyslot.client.codec.allow.ClassRefusal;
import io.keyslot.client.codec.allow.KnownClasses;
import io.keyslot.client.codec.graph.Slot.Component;
import io.keyslot.client.codec.graph.Slot.Mark;
import io.keyslot.client.codec.graph.Slot.Skipped;
import java.io.Externalizable;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the objects of a class, and those that it finds in what other versions of the class have written. Immutable.
 *
 * <ul>
 *   <li>A field that the bytes do not have keeps its default.
 *   <li>A field that the class does not have is skipped.
 *   <li>Everything else that differs is refused: another kind of a field, another {@code serialVersionUID}, a {@code
 *       readObject} that has come or gone.
 * </ul>
 */
final class Slots {
    private final Class<?> type;
    private final Slot[] own;
    private final Map<Integer, Slot> known = new HashMap<>();
    private final Set<Integer> ambiguous = new HashSet<>();
    private final long required;

    private Slots(Class<?> type, List<Slot> own) {
        this.type = type;
        this.own = own.toArray(Slot[]::new);
        this.required = own.stream().filter(slot -> !Shape.isField(slot.id())).count();
        Set<Integer> names = new HashSet<>();
        for (Slot slot : own) {
            if (!names.add(Shape.nameOf(slot.id()))) {
                throw ClassRefusal.of(
                        Types.CODEC, type, "has two fields whose names have the same checksum: rename one");
            }
            for (int id : slot.ids()) {
                if (known.putIfAbsent(Shape.nameOf(id), slot) != null) {
                    ambiguous.add(Shape.nameOf(id));
                }
            }
        }
    }

    /** Returns the parts of an object: the fields of its classes below the JDK's, the topmost first. */
    static Slots of(Class<?> type) {
        return new Slots(type, partsOf(type));
    }

    /** Returns the parts of an exception, of which the JDK's has a class of its own. */
    static Slots of(Class<?> type, Class<?> ofJdk) {
        List<Slot> parts = partsOf(type);
        parts.add(0, new Mark(Shape.id(ofJdk.getName(), Shape.MARK)));
        return new Slots(type, parts);
    }

    /** Returns the components of a record, in the order of its header. */
    static Slots ofRecord(Class<?> type) {
        List<Slot> parts = new ArrayList<>();
        VersionMark.of(type).ifPresent(parts::add);
        RecordComponent[] header = type.getRecordComponents();
        for (int i = 0; i < header.length; i++) {
            try {
                // The field, as an accessor may return something else.
                Field field = type.getDeclaredField(header[i].getName());
                parts.add(new Component(FieldAccess.of(field, false), i));
            } catch (NoSuchFieldException e) {
                throw new IllegalStateException(type.getName() + " is not what the language calls a record", e);
            }
        }
        return new Slots(type, parts);
    }

    private static List<Slot> partsOf(Class<?> type) {
        if (Externalizable.class.isAssignableFrom(type)) {
            throw ClassRefusal.of(Types.CODEC, type, "is Externalizable, which is supported by codec: jdk only");
        }
        List<Slot> parts = new ArrayList<>();
        Deque<Class<?>> layers = layersOf(type);
        Set<String> once = new HashSet<>();
        Set<String> twice = new HashSet<>();
        layers.forEach(layer -> FieldAccess.declaredBy(layer).stream()
                .map(Field::getName)
                .filter(name -> !once.add(name))
                .forEach(twice::add));
        for (Class<?> layer : layers) {
            VersionMark.of(layer).ifPresent(parts::add);
            CustomLayer custom = CustomLayer.of(layer);
            if (custom == null) {
                FieldAccess.declaredBy(layer)
                        .forEach(field -> parts.add(FieldAccess.of(field, twice.contains(field.getName()))));
            } else {
                parts.add(custom);
            }
        }
        return parts;
    }

    private static Deque<Class<?>> layersOf(Class<?> type) {
        Deque<Class<?>> layers = new ArrayDeque<>();
        for (Class<?> layer = type; !KnownClasses.isJdk(layer.getName()); layer = layer.getSuperclass()) {
            layers.addFirst(layer);
        }
        return layers;
    }

    /** Returns the parts in the order in which they are written, not to be changed. */
    Slot[] own() {
        return own;
    }

    /**
     * Returns what to read of objects that were written in this shape, part for part.
     *
     * @throws KryoException if that would not be what was written
     */
    Slot[] in(Shape shape) {
        int[] ids = shape.ids();
        Slot[] slots = new Slot[ids.length];
        long found = 0;
        for (int i = 0; i < ids.length; i++) {
            slots[i] = slotFor(ids[i]);
            found += Shape.isField(ids[i]) ? 0 : 1;
        }
        if (found != required) {
            throw otherwise("another serialVersionUID, or another readObject");
        }
        return slots;
    }

    private Slot slotFor(int id) {
        @Nullable Slot slot = known.get(Shape.nameOf(id));
        if (slot == null && Shape.isField(id)) {
            return new Skipped(id, Shape.kindOf(id));
        }
        if (slot == null) {
            throw otherwise("another serialVersionUID, or another readObject");
        }
        if (ambiguous.contains(Shape.nameOf(id))) {
            throw otherwise("one field with a name that two have now");
        }
        if (!Shape.areOfOneKind(slot.id(), id)) {
            throw otherwise("another type of a field");
        }
        return slot;
    }

    private KryoException otherwise(String difference) {
        return new KryoException("%s had %s when it was written".formatted(type.getName(), difference));
    }
}
