// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a class, and their mapping to what other versions of the class have written: a field that is missing in
 * the bytes keeps its default, one that is missing in the class is skipped, one of another kind is refused.
 */
final class Slots {
    private final Class<?> type;
    private final FieldAccess[] own;
    private final Map<Integer, FieldAccess> known = new HashMap<>();
    private final Set<Integer> ambiguous = new HashSet<>();

    private Slots(Class<?> type, List<FieldAccess> own) {
        this.type = type;
        this.own = own.toArray(FieldAccess[]::new);
        Set<Integer> names = new HashSet<>();
        for (FieldAccess slot : own) {
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

    /** Returns the fields of an object's classes outside the JDK, those of the topmost class first. */
    static Slots of(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> layer = type; !KnownClasses.isJdk(layer.getName()); layer = layer.getSuperclass()) {
            fields.addAll(0, FieldAccess.declaredBy(layer));
        }
        Set<String> once = new HashSet<>();
        Set<String> twice = new HashSet<>();
        fields.stream().map(Field::getName).filter(name -> !once.add(name)).forEach(twice::add);
        return new Slots(
                type,
                fields.stream()
                        .map(field -> FieldAccess.of(field, twice.contains(field.getName())))
                        .toList());
    }

    /** Returns the components of a record, in the order of its header. */
    static Slots ofRecord(Class<?> type) {
        List<FieldAccess> parts = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            try {
                // The field, as an accessor may return something else.
                parts.add(FieldAccess.ofComponent(type.getDeclaredField(component.getName()), parts.size()));
            } catch (NoSuchFieldException e) {
                throw new IllegalStateException(type.getName() + " is not what the language calls a record", e);
            }
        }
        return new Slots(type, parts);
    }

    FieldAccess[] own() {
        return own;
    }

    /** Returns the fields to read from objects of the given shape; throws if the result would differ. */
    FieldAccess[] in(Shape shape) {
        return Arrays.stream(shape.ids()).mapToObj(this::slotFor).toArray(FieldAccess[]::new);
    }

    private FieldAccess slotFor(int id) {
        @Nullable FieldAccess slot = known.get(Shape.nameOf(id));
        if (slot == null) {
            return FieldAccess.skipped(id);
        }
        if (ambiguous.contains(Shape.nameOf(id))) {
            throw otherwise("one field with a name that two have now, " + slot.fullName() + ",");
        }
        if (!Shape.areOfOneKind(slot.id(), id)) {
            throw otherwise("another type of the field " + slot.fullName());
        }
        return slot;
    }

    private KryoException otherwise(String difference) {
        return new KryoException("%s had %s when it was written".formatted(type.getName(), difference));
    }
}
