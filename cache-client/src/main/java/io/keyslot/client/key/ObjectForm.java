// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The components of a record or of a Serializable class.
 *
 * <p>Whether the class's {@code equals} agrees with its components cannot be seen, only tried: the first key of the class
 * is rebuilt and compared, and every key of a class that has transient fields.
 */
final class ObjectForm implements CompositeForm {
    private final Class<?> type;
    private final KeyShape shape;
    private final List<Component> components;
    private final List<Component> groupKeys;
    private final List<Component> others;
    private volatile boolean proven;

    ObjectForm(Class<?> type, KeyShape shape) {
        this.type = type;
        this.shape = shape;
        this.components = shape.components();
        this.groupKeys = components.stream().filter(Component::isGroupKey).toList();
        this.others =
                components.stream().filter(component -> !component.isGroupKey()).toList();
    }

    @Override
    public String name() {
        return KeyForms.className(type);
    }

    @Override
    public void proven() {
        proven = true;
    }

    boolean hasGroupKey() {
        return !groupKeys.isEmpty();
    }

    @Override
    public void write(Object value, ItemWriter out) {
        demandProof(out);
        write(value, components, out);
    }

    /** Writes the components that tell the member from others of its group. */
    void writeMember(Object value, ItemWriter out) {
        demandProof(out);
        write(value, others, out);
    }

    private void demandProof(ItemWriter out) {
        if (!proven || shape.hasHiddenState()) {
            out.demandProof(this);
        }
    }

    private static void write(Object value, List<Component> components, ItemWriter out) {
        for (Component component : components) {
            if (components.size() == 1) {
                out.soleItem(component.only(), component.get(value));
            } else {
                out.item(component.only(), component.get(value));
            }
        }
    }

    /** Returns the id of the group's root. */
    String writeRootId(Object value) {
        Object id = groupKey().get(value);
        if (id == null) {
            throw new IllegalArgumentException(
                    "the component of class %s that has @GroupKey is null, but a member needs a root"
                            .formatted(type.getName()));
        }
        return groupKeyForm().write(id, "");
    }

    @Override
    public Object read(ItemReader in) {
        return read(in, null, null);
    }

    Object readMember(String rootId, ItemReader in) {
        return read(in, groupKey(), groupKeyForm().read(rootId));
    }

    private Object read(ItemReader in, @Nullable Component known, @Nullable Object value) {
        boolean isSole = (known == null ? components : others).size() == 1;
        @Nullable Object[] values = new @Nullable Object[components.size()];
        for (int i = 0; i < values.length; i++) {
            Component component = components.get(i);
            if (component.equals(known)) {
                values[i] = value;
            } else {
                values[i] = isSole ? in.soleItem(component.only()) : in.item(component.only());
            }
        }
        return shape.build(values);
    }

    private Component groupKey() {
        if (groupKeys.size() != 1) {
            throw new IllegalArgumentException("class %s has %d components with @GroupKey, must have one"
                    .formatted(type.getName(), groupKeys.size()));
        }
        return groupKeys.get(0);
    }

    /** Returns the form of the root's id, which must be the bare one: what its own cache would store. */
    private ScalarForm groupKeyForm() {
        KeyForm form = groupKey().only();
        if (!(form instanceof ScalarForm scalar) || scalar.equals(ScalarForms.ENTITY_KEY)) {
            throw new IllegalArgumentException(
                    "the component of class %s that has @GroupKey must be declared as a String, a number, a UUID or an enum"
                            .formatted(type.getName()));
        }
        return scalar;
    }
}
