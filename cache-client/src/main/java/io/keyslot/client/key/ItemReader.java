// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import io.keyslot.client.key.KeyForms.KeyForm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the output of {@link ItemWriter}, in linear time and with bounded nesting. Not thread-safe. */
final class ItemReader {
    private final String text;
    private final KeyClasses classes;
    private int position;
    private int depth;

    private ItemReader(String text, KeyClasses classes) {
        this.text = text;
        this.classes = classes;
    }

    /** Parses a whole key. {@code itemLeftOut} supplies the item at index {@code leftOut}, which is not in the text. */
    static Object whole(KeyForm form, String text, KeyClasses classes, int leftOut, @Nullable Object itemLeftOut) {
        if (form instanceof ScalarForm scalar) {
            return scalar.read(text);
        }
        ItemReader reader = new ItemReader(text, classes);
        Object key = reader.items((CompositeForm) form, leftOut, itemLeftOut);
        if (reader.position < text.length()) {
            throw reader.malformed();
        }
        return key;
    }

    private Object items(CompositeForm form, int leftOut, @Nullable Object itemLeftOut) {
        List<@Nullable Object> items = new ArrayList<>();
        int inText = form.types().size() - (leftOut == ItemWriter.ALL ? 0 : 1);
        boolean isFirst = true;
        while (form.isRow() ? hasNext(isFirst) : items.size() < form.types().size()) {
            int number = items.size();
            if (number == leftOut) {
                items.add(itemLeftOut);
                continue;
            }
            if (!isFirst) {
                expect(',');
            }
            isFirst = false;
            KeyForm only = classes.only(form.typeOf(number));
            boolean isSole = depth == 0 && !form.isRow() && inText == 1 && !text.equals(ItemWriter.NULL);
            if (isSole && only instanceof ScalarForm scalar) {
                position = text.length();
                items.add(scalar.read(text));
            } else {
                items.add(item(only));
            }
        }
        return form.build(items);
    }

    private boolean hasNext(boolean isFirst) {
        return isFirst ? position < text.length() && !isAt(')') : isAt(',');
    }

    /** Parses an item in the given form; if that is null, the text names the form. */
    private @Nullable Object item(@Nullable KeyForm only) {
        if (text.startsWith(ItemWriter.NULL, position)) {
            position += ItemWriter.NULL.length();
            return null;
        }
        KeyForm form = only == null ? classes.named(until(":,()")) : only;
        if (form instanceof CompositeForm composite) {
            return nested(composite);
        }
        if (only == null) {
            expect(':');
        }
        return ((ScalarForm) form).read(until(",()"));
    }

    private Object nested(CompositeForm form) {
        if (depth == ItemWriter.MAXIMUM_DEPTH) {
            throw new IllegalArgumentException("it is nested deeper than " + ItemWriter.MAXIMUM_DEPTH + " levels");
        }
        expect('(');
        depth++;
        Object value = items(form, ItemWriter.ALL, null);
        depth--;
        expect(')');
        return value;
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
