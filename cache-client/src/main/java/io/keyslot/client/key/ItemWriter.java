// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the items of a composite key: {@code 99,Long:1,List(String:a,String:b),(1,2)}.
 *
 * <p>An item names its form unless its declared type has only one. Nested composites are in parentheses, so that commas
 * and parentheses in application strings are escaped. Not safe for use by several threads.
 */
final class ItemWriter {
    /** How deep composites may be nested. A graph with a cycle ends here. */
    static final int MAXIMUM_DEPTH = 32;

    /** How many items a key may have in all. An object that is shared counts every time. */
    static final int MAXIMUM_ITEMS = 10_000;

    /** What stands for null: no escape starts with these characters, so no string is written like this. */
    static final String NULL = "%null";

    private static final String RESERVED = ",()";

    private final StringBuilder text;
    private final Tally tally;
    private final int depth;
    private boolean started;

    ItemWriter() {
        this(new StringBuilder(), new Tally(), 0);
    }

    private ItemWriter(StringBuilder text, Tally tally, int depth) {
        this.text = text;
        this.tally = tally;
        this.depth = depth;
    }

    /** Writes a whole key, which is not an item of another. */
    void whole(KeyForm form, Object value) {
        if (form instanceof ScalarForm scalar) {
            text.append(scalar.write(value, ""));
        } else if (form instanceof CompositeForm composite) {
            composite.write(value, this);
        }
    }

    /** Writes an item that names its form. */
    void item(@Nullable Object value) {
        item(null, value);
    }

    /** Writes an item in the only form that its declared type has; if that is null, it names its form. */
    void item(@Nullable KeyForm only, @Nullable Object value) {
        startItem();
        if (value == null) {
            text.append(NULL);
        } else if (only == null) {
            named(KeyForms.of(value.getClass()), value);
        } else if (only instanceof ScalarForm scalar) {
            text.append(scalar.write(value, RESERVED));
        } else if (only instanceof CompositeForm composite) {
            nested(composite, value);
        }
    }

    /** Writes what may be the only item of the whole key: a scalar is then written as it is, commas included. */
    void soleItem(@Nullable KeyForm only, @Nullable Object value) {
        if (depth == 0 && value != null && only instanceof ScalarForm scalar) {
            text.append(scalar.write(value, ""));
        } else {
            item(only, value);
        }
    }

    private void named(KeyForm form, Object value) {
        text.append(form.name());
        tally.named.add(form);
        if (form instanceof ScalarForm scalar) {
            text.append(':').append(scalar.write(value, RESERVED));
        } else if (form instanceof CompositeForm composite) {
            nested(composite, value);
        }
    }

    private void nested(CompositeForm form, Object value) {
        text.append('(');
        form.write(value, deeper(text));
        text.append(')');
    }

    /** Writes items that have no order of their own, each rendered {@link #apart}, in the order of their texts. */
    void unordered(List<String> rendered) {
        rendered.stream().sorted().forEach(item -> {
            separate();
            text.append(item);
        });
    }

    /** Returns a writer for an item whose place is not known yet. */
    ItemWriter apart() {
        return new ItemWriter(new StringBuilder(), tally, depth);
    }

    private ItemWriter deeper(StringBuilder target) {
        if (depth == MAXIMUM_DEPTH) {
            throw new IllegalArgumentException(
                    "it is nested deeper than %d levels, or contains itself; use a flat key".formatted(MAXIMUM_DEPTH));
        }
        return new ItemWriter(target, tally, depth + 1);
    }

    private void startItem() {
        separate();
        tally.countItem();
    }

    private void separate() {
        if (started) {
            text.append(',');
        }
        started = true;
    }

    boolean isNested() {
        return depth > 0;
    }

    /** Asks that the key be rebuilt from its text and compared, because this form alone cannot promise equality. */
    void demandProof(CompositeForm form) {
        tally.unproven.add(form);
    }

    List<CompositeForm> unproven() {
        return tally.unproven;
    }

    /** Returns the forms that the text names, but for that of the whole key. */
    List<KeyForm> named() {
        return tally.named;
    }

    String text() {
        return text.toString();
    }

    /** What the writers of one key share. */
    private static final class Tally {
        private final List<CompositeForm> unproven = new ArrayList<>(0);
        private final List<KeyForm> named = new ArrayList<>(0);
        private int items;

        private void countItem() {
            items++;
            if (items > MAXIMUM_ITEMS) {
                throw new IllegalArgumentException(
                        "it has more than %d items; use a smaller key".formatted(MAXIMUM_ITEMS));
            }
        }
    }
}
