// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.key.KeyForms.KeyForm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the items of a composite key: {@code 99,Long:1,List(String:a,String:b),(1,2)}. An item names its form unless
 * its declared type has only one. Nested composites are in parentheses; commas and parentheses in application strings
 * are escaped. Not thread-safe.
 */
final class ItemWriter {
    /** The maximum nesting of composites, which also ends a cyclic graph. */
    static final int MAXIMUM_DEPTH = 32;

    /** The maximum number of items of a key. A shared object counts at each occurrence. */
    static final int MAXIMUM_ITEMS = 10_000;

    /** The text of null. No escape begins like this, so no string has this text. */
    static final String NULL = "%null";

    static final int ALL = -1;

    private static final String RESERVED = ",()";

    private final KeyClasses classes;
    private final List<CompositeForm> unproven = new ArrayList<>(0);
    private final List<KeyForm> named = new ArrayList<>(0);
    private boolean needsProof;
    private int items;
    private int depth;
    private StringBuilder text = new StringBuilder();

    ItemWriter(KeyClasses classes) {
        this.classes = classes;
    }

    /** Writes a whole key without the item at index {@code leftOut}. */
    void whole(KeyForm form, Object value, int leftOut) {
        if (form instanceof CompositeForm composite) {
            items(composite, value, leftOut);
        } else {
            scalar((ScalarForm) form, value, "");
        }
    }

    @SuppressWarnings("ReferenceEquality") // There is one instance of others.
    private void scalar(ScalarForm form, Object value, String reserved) {
        // The class of the key may compare arrays by reference, and other classes in any way.
        needsProof |= form == classes.others() || value.getClass().isArray();
        text.append(form.write(value, reserved));
    }

    private void items(CompositeForm form, Object value, int leftOut) {
        if (!form.proof().get()) {
            unproven.add(form);
        }
        List<?> values = form.split(value);
        if (form.sorted() > 0) {
            sorted(values, form.sorted());
            return;
        }
        int written = values.size() - (leftOut == ALL ? 0 : 1);
        boolean isFirst = true;
        for (int i = 0; i < values.size(); i++) {
            if (i == leftOut) {
                continue;
            }
            if (!isFirst) {
                text.append(',');
            }
            isFirst = false;
            KeyForm only = classes.only(form.typeOf(i));
            boolean isSole = depth == 0 && !form.isRow() && written == 1;
            if (isSole && only instanceof ScalarForm scalar && values.get(i) != null) {
                scalar(scalar, values.get(i), ""); // unescaped, commas included
            } else {
                item(only, values.get(i));
            }
        }
    }

    /** Writes units of this many items in the order of their texts. */
    private void sorted(List<?> values, int together) {
        StringBuilder outer = text;
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < values.size(); i += together) {
            text = new StringBuilder();
            for (int j = i; j < i + together; j++) {
                if (j > i) {
                    text.append(',');
                }
                item(null, values.get(j));
            }
            texts.add(text.toString());
        }
        text = outer;
        texts.sort(null);
        text.append(String.join(",", texts));
    }

    /** Writes an item in the given form; if that is null, the item names its form. */
    private void item(@Nullable KeyForm only, @Nullable Object value) {
        items++;
        if (items > MAXIMUM_ITEMS) {
            throw new IllegalArgumentException("it has more than %d items; use a smaller key".formatted(MAXIMUM_ITEMS));
        }
        if (value == null) {
            text.append(NULL);
            return;
        }
        needsProof |= value.getClass().isArray();
        KeyForm form = only == null ? classes.of(value.getClass()) : only;
        if (only == null) {
            text.append(form.name());
            named.add(form);
        }
        if (form instanceof CompositeForm composite) {
            nested(composite, value);
        } else {
            if (only == null) {
                text.append(':');
            }
            scalar((ScalarForm) form, value, RESERVED);
        }
    }

    private void nested(CompositeForm form, Object value) {
        if (depth == MAXIMUM_DEPTH) {
            throw new IllegalArgumentException(
                    "it is nested deeper than %d levels, or contains itself; use a flat key".formatted(MAXIMUM_DEPTH));
        }
        depth++;
        text.append('(');
        items(form, value, ALL);
        text.append(')');
        depth--;
    }

    /** Returns whether the key must be rebuilt from its text and compared, as its forms do not guarantee equality. */
    boolean needsProof() {
        return needsProof || !unproven.isEmpty();
    }

    void proven() {
        unproven.forEach(form -> form.proof().set(true));
    }

    List<KeyForm> named() {
        return named;
    }

    String text() {
        return text.toString();
    }
}
