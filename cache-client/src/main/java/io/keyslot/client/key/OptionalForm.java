// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.util.Optional;

/** The value of an optional, or no item. */
final class OptionalForm implements CompositeForm {
    @Override
    public String name() {
        return "Optional";
    }

    @Override
    public void write(Object value, ItemWriter out) {
        ((Optional<?>) value).ifPresent(out::item);
    }

    @Override
    public Object read(ItemReader in) {
        return in.hasNext() ? Optional.ofNullable(in.item()) : Optional.empty();
    }
}
