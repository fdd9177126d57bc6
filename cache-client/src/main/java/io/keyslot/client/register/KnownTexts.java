// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A cache of the last parsed texts. Several instances return the same text, as value and as copy, and it is usually
 * known already. Thread-safe.
 */
public final class KnownTexts<T> {
    /** The newest two of two namespaces. */
    static final int MOST = 4;

    private volatile List<Map.Entry<String, T>> known = List.of(); // newest first

    /**
     * Returns the meaning of a text; parses it if it is unknown. The reader is a function of the text; a text that it
     * rejects is not cached.
     */
    public T read(String text, Function<String, T> reader) {
        for (Map.Entry<String, T> each : known) {
            if (each.getKey().equals(text)) {
                return each.getValue();
            }
        }
        T says = reader.apply(text);
        keep(text, says);
        return says;
    }

    public synchronized void keep(String text, T says) {
        List<Map.Entry<String, T>> next = new ArrayList<>(known.subList(0, Math.min(known.size(), MOST - 1)));
        next.add(0, Map.entry(text, says));
        known = List.copyOf(next);
    }

    Optional<String> textOf(T says) {
        return known.stream()
                .filter(each -> each.getValue().equals(says))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
