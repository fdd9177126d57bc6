// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

/**
 * How the keys of one kind are written. Both sorts of forms throw {@link IllegalArgumentException} with a reason that
 * names classes, and never contains what the key says.
 */
sealed interface KeyForm permits ScalarForm, CompositeForm {
    /**
     * Returns what tells this form from all others: a short name for well known classes, otherwise the name of the class,
     * escaped. A class has a dot in its name, a short name has none.
     */
    String name();
}
