// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.key;

import java.util.HexFormat;
import java.util.Objects;

/** An array of bytes, in hexadecimal digits. */
final class BytesForm implements CompositeForm {
    private static final ScalarForm DIGITS = new ScalarForm(
            "byte[]",
            value -> HexFormat.of().formatHex((byte[]) value),
            text -> HexFormat.of().parseHex(text));

    @Override
    public String name() {
        return DIGITS.name();
    }

    @Override
    public void write(Object value, ItemWriter out) {
        if (out.isNested()) {
            out.demandProof(this);
        }
        out.soleItem(DIGITS, value);
    }

    @Override
    public Object read(ItemReader in) {
        return Objects.requireNonNull(in.soleItem(DIGITS), "the digits of an array of bytes");
    }
}
