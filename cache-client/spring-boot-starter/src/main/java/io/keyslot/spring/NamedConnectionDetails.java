// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

/** Where a partition is which a name puts into its place: who finds it, finds it in no certain order. */
interface NamedConnectionDetails extends KeyslotConnectionDetails {
    String name();

    /** Returns the name, and nothing for those that have none: they come first, as they are ordered. */
    static String nameOf(KeyslotConnectionDetails details) {
        return details instanceof NamedConnectionDetails named ? named.name() : "";
    }
}
