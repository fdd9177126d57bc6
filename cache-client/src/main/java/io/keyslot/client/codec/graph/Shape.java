// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import com.esotericsoftware.kryo.kryo5.KryoException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The fields of a class in the order in which they are written. Stored with the name of the class, so that another
 * version of the class can skip fields; {@code docs/contributing/kryo-format.md} has the format. The id of a field is 28 bits of the
 * CRC-32 of its name, and its kind in the lowest four bits. Immutable.
 */
final class Shape {
    /** The content besides the fields. */
    enum Form {
        ENUM(0),
        ARRAY(1),
        FIELDS(2),
        COLLECTION(3),
        MAP(4);

        private final int code;

        Form(int code) {
            this.code = code;
        }

        static Form numbered(int code) {
            return Arrays.stream(FORMS)
                    .filter(form -> form.code == code)
                    .findFirst()
                    .orElseThrow(() -> new KryoException("A class has a form that is not known to this version"));
        }
    }

    private static final int KIND_BITS = 0xF;
    private static final Form[] FORMS = Form.values();

    private final Form form;
    private final int[] ids;

    private Shape(Form form, int[] ids) {
        this.form = form;
        this.ids = ids;
    }

    static Shape of(Form form, FieldAccess... fields) {
        return new Shape(form, Arrays.stream(fields).mapToInt(FieldAccess::id).toArray());
    }

    static Shape read(BoundedInput input) {
        Form form = Form.numbered(input.readByte());
        int[] ids = input.readInts(input.readVarInt(true));
        if (!Arrays.stream(ids).allMatch(id -> FieldKind.exists(id & KIND_BITS))) {
            throw new KryoException("A class has a field of a kind that is not known to this version");
        }
        return new Shape(form, ids);
    }

    void write(ValueOutput output) {
        output.writeByte(form.code);
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

    Form form() {
        return form;
    }

    /** Returns the ids of the fields, not to be changed. */
    int[] ids() {
        return ids;
    }

    boolean isSameAs(Shape other) {
        return form == other.form && Arrays.equals(ids, other.ids);
    }
}
