// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import com.esotericsoftware.kryo.kryo5.KryoException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The fields of a class in the order in which they are written. Stored with the name of the class, so that another
 * version of the class can skip fields; {@code docs/contributing/kryo-format.md} has the format. The id of a field is 28 bits of the
 * CRC-32 of its name, and its kind in the lowest four bits. Immutable.
 */
@SuppressWarnings({"ArrayRecordComponent", "EnumOrdinal"}) // compared by isSameAs; the order is part of the format
record Shape(Form form, int[] ids) {
    /** The content besides the fields. The ordinal of a constant is part of the format. */
    enum Form {
        ENUM,
        ARRAY,
        FIELDS,
        COLLECTION,
        MAP
    }

    private static final int KIND_BITS = 0xF;
    private static final Form[] FORMS = Form.values();

    static Shape of(Form form, FieldAccess... fields) {
        return new Shape(form, Arrays.stream(fields).mapToInt(FieldAccess::id).toArray());
    }

    static Shape read(BoundedInput input) {
        int form = input.readByte();
        if (form < 0 || form >= FORMS.length) {
            throw new KryoException("A class has a form that is not known to this version");
        }
        int[] ids = input.readInts(input.readVarInt(true));
        if (!Arrays.stream(ids).allMatch(id -> FieldKind.exists(id & KIND_BITS))) {
            throw new KryoException("A class has a field of a kind that is not known to this version");
        }
        return new Shape(FORMS[form], ids);
    }

    void write(ValueOutput output) {
        output.writeByte(form.ordinal());
        output.writeVarInt(ids.length, true);
        output.writeInts(ids, 0, ids.length);
    }

    static int id(String name, FieldKind kind) {
        CRC32 crc = new CRC32();
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        return ((int) crc.getValue() & ~KIND_BITS) | kind.code();
    }

    /** Returns the id without the kind. */
    static int nameOf(int id) {
        return id & ~KIND_BITS;
    }

    static boolean areOfOneKind(int id, int other) {
        return ((id ^ other) & KIND_BITS) == 0;
    }

    static FieldKind kindOf(int id) {
        return FieldKind.numbered(id & KIND_BITS);
    }

    boolean isSameAs(Shape other) {
        return form == other.form && Arrays.equals(ids, other.ids);
    }
}
