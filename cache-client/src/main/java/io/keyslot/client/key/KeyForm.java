// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

/** The text form of one kind of keys. Its exceptions name classes, and never contain key content. */
sealed interface KeyForm permits ScalarForm, CompositeForm {
    /** Returns the unique name: without a dot for well-known classes, otherwise the escaped class name, with a dot. */
    String name();
}
