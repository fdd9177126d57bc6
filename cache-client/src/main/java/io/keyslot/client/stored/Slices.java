// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import java.util.ArrayList;
import java.util.List;

/** Splits lists, to send some keys at a time. */
public final class Slices {
    private Slices() {}

    /** Returns views of the list, in order, each of this many items but for the last; none if the list is empty. */
    public static <T> List<List<T>> of(List<T> all, int most) {
        List<List<T>> slices = new ArrayList<>(all.size() / most + 1);
        for (int from = 0; from < all.size(); from += most) {
            slices.add(all.subList(from, Math.min(all.size(), from + most)));
        }
        return slices;
    }
}
