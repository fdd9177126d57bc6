// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link ItemWriter} wrote. Every step consumes text or ends, and nesting is bounded, so that no text is read
 * for longer than its length. Not safe for use by several threads.
 */
final class ItemReader {
    private final String text;
    private final KeyClasses classes;
    private int position;
    private int depth;
    private boolean started;

    ItemReader(String text, KeyClasses classes) {
        this.text = text;
        this.classes = classes;
    }

    /** Reads a whole key, which is not an item of another. */
    static Object whole(KeyForm form, String text, KeyClasses classes) {
        if (form instanceof CompositeForm composite) {
            ItemReader reader = new ItemReader(text, classes);
            Object key = composite.read(reader);
            reader.end();
            return key;
        }
        return ((ScalarForm) form).read(text);
    }

    /** Returns whether the current composite has another item. */
    boolean hasNext() {
        return started ? isAt(',') : position < text.length() && !isAt(')');
    }

    /** Reads an item that names its form. */
    @Nullable
    Object item() {
        return item(null);
    }

    /** Reads an item in the only form that its declared type has; if that is null, it names its form. */
    @Nullable
    Object item(@Nullable KeyForm only) {
        if (started) {
            expect(',');
        }
        started = true;
        if (text.startsWith(ItemWriter.NULL, position)) {
            position += ItemWriter.NULL.length();
            return null;
        }
        if (only == null) {
            return named();
        }
        return only instanceof CompositeForm composite ? nested(composite) : scalar((ScalarForm) only);
    }

    /** Reads what may be the only item of the whole key. */
    @Nullable
    Object soleItem(@Nullable KeyForm only) {
        if (depth > 0 || !(only instanceof ScalarForm scalar) || text.equals(ItemWriter.NULL)) {
            return item(only);
        }
        position = text.length();
        return scalar.read(text);
    }

    private Object named() {
        KeyForm form = KeyForms.named(until(":,()"), classes);
        if (form instanceof CompositeForm composite) {
            return nested(composite);
        }
        expect(':');
        return scalar((ScalarForm) form);
    }

    private Object scalar(ScalarForm form) {
        return form.read(until(",()"));
    }

    private Object nested(CompositeForm form) {
        if (depth == ItemWriter.MAXIMUM_DEPTH) {
            throw new IllegalArgumentException("it is nested deeper than " + ItemWriter.MAXIMUM_DEPTH + " levels");
        }
        expect('(');
        depth++;
        started = false;
        Object value = form.read(this);
        expect(')');
        depth--;
        started = true;
        return value;
    }

    /** Ends the reading: there must be nothing left. */
    void end() {
        if (position < text.length()) {
            throw malformed();
        }
    }

    private String until(String delimiters) {
        int start = position;
        while (position < text.length() && delimiters.indexOf(text.charAt(position)) < 0) {
            position++;
        }
        return text.substring(start, position);
    }

    private boolean isAt(char wanted) {
        return position < text.length() && text.charAt(position) == wanted;
    }

    private void expect(char wanted) {
        if (!isAt(wanted)) {
            throw malformed();
        }
        position++;
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("it has other items than its class, at character " + position);
    }
}
