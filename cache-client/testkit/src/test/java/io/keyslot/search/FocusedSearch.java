// SPDX-License-Identifier: Apache-2.0
package io.keyslot.search;

import io.keyslot.search.ProgramSearch.Failure;
import java.util.function.BiFunction;

/**
 * A search that can be called from outside of its class loader: the name of a {@link Focus} and the number of programs give
 * what went wrong, the empty text if nothing did.
 */
public final class FocusedSearch implements BiFunction<String, Integer, String> {
    @Override
    public String apply(String focus, Integer programs) {
        Failure failure = ProgramSearch.search(0, programs, Focus.valueOf(focus)::wants);
        return failure == null ? "" : failure.toString();
    }
}
