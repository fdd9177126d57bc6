// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

/** Connection details that are sorted by name, because their source lists them in no fixed order. */
interface NamedConnectionDetails extends KeyslotConnectionDetails {
    String name();

    /** Returns the name, or an empty string for details without one, which come first in their own order. */
    static String nameOf(KeyslotConnectionDetails details) {
        return details instanceof NamedConnectionDetails named ? named.name() : "";
    }
}
