// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the last texts say, so that none is read twice: whoever looks at several instances gets the same one from each of them, as
 * value and as copy, and mostly knows it already. The same text says the same to everybody, so it does not matter who has read it.
 * Safe for use by several threads.
 *
 * @param <T> what a text says: an immutable value
 */
public final class KnownTexts<T> {
    /** The newest two, of two namespaces. */
    static final int MOST = 4;

    private volatile List<Known<T>> known = List.of(); // the newest first

    private record Known<T>(String text, T says) {}

    /**
     * Returns what a text says.
     *
     * @param reader reads it if it is not known. It gives the same for the same text; what it refuses is not kept
     */
    public T read(String text, Function<String, T> reader) {
        for (Known<T> each : known) {
            if (each.text().equals(text)) {
                return each.says();
            }
        }
        T says = reader.apply(text);
        keep(text, says);
        return says;
    }

    /** Keeps what was written: it need not be read. */
    public synchronized void keep(String text, T says) {
        List<Known<T>> next = new ArrayList<>(known.subList(0, Math.min(known.size(), MOST - 1)));
        next.add(0, new Known<>(text, says));
        known = List.copyOf(next);
    }

    /** Returns a text that says this, if one is kept. */
    Optional<String> textOf(T says) {
        return known.stream()
                .filter(each -> each.says().equals(says))
                .map(Known::text)
                .findFirst();
    }
}
