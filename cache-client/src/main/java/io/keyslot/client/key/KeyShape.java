// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the instances of a class consist of, and how one is built from it. */
interface KeyShape {
    List<Component> components();

    /** Returns an instance with these components, in their order. */
    Object build(@Nullable Object[] values);

    /** Returns whether instances may have state that is not among the components. */
    boolean hasHiddenState();
}
