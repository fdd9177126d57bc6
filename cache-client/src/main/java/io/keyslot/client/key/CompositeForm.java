// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

/** A key that is a row of items, such as a record or a list. */
non-sealed interface CompositeForm extends KeyForm {
    void write(Object value, ItemWriter out);

    /** Reads the items that {@link #write} has written. */
    Object read(ItemReader in);

    /** Notes that a key of this form was rebuilt from its text and was equal to the original. */
    default void proven() {}
}
