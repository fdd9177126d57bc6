// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import org.jspecify.annotations.Nullable;

/** One part of a key of which the text has several. */
sealed interface Component permits FieldComponent, WrittenComponent {
    boolean isGroupKey();

    /** Returns the form of all values, null if they have to name it. Asked each time, since classes may be recursive. */
    @Nullable
    KeyForm only();

    @Nullable
    Object get(Object owner);
}
