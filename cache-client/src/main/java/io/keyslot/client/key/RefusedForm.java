// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

/**
 * The form of a class that has none: says why. A form rather than an exception, because a class that is only declared
 * may never be used.
 */
record RefusedForm(String name, String reason) implements CompositeForm {
    static RefusedForm of(Class<?> type, String reason) {
        return new RefusedForm(
                KeyForms.className(type),
                "class %s has no text form as a key: %s. Use a record, an EntityKey, a String, a number or a UUID"
                        .formatted(type.getName(), reason));
    }

    /** Returns the form of a declared type whose values have a form, but are rebuilt as another class. */
    static RefusedForm ofCollection(Class<?> declared, String name) {
        return new RefusedForm(
                name,
                "it is declared as %s, which is not rebuilt; declare it as java.util.%s, which it is equal to"
                        .formatted(declared.getName(), name));
    }

    @Override
    public void write(Object value, ItemWriter out) {
        throw new IllegalArgumentException(reason);
    }

    @Override
    public Object read(ItemReader in) {
        throw new IllegalArgumentException(reason);
    }
}
