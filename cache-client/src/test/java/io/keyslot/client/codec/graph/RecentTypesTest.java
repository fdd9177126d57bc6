// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.codec.allow.AllowedClasses;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentTypesTest {
    private final Types types =
            new Types(AllowedClasses.everything(), getClass().getClassLoader());
    private final GraphType one = types.of(One.class);
    private final byte[] bytes = one.declaration();
    private final RecentTypes recent = new RecentTypes();

    @Test
    void typeThatWasNeverRead_isNotFound() {
        assertThat(recent.find(bytes, 0, bytes.length)).isNull();
    }

    @Test
    void typeThatWasRead_isFoundByItsBytes() {
        recent.add(one);

        assertThat(recent.find(bytes, 0, bytes.length)).isSameAs(one);
        assertThat(recent.find(atOffset(7), 7, 7 + bytes.length)).isSameAs(one);
    }

    @Test
    void bytesWithAnyChange_areNotTheType() {
        recent.add(one);

        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] changed = bytes.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);

            assertThat(recent.find(changed, 0, changed.length))
                    .as("bit %d", bit)
                    .isNull();
        }
    }

    @Test
    void bytesThatEndTooEarly_areNotTheType() {
        recent.add(one);

        for (int limit = 0; limit < bytes.length; limit++) {
            assertThat(recent.find(bytes, 0, limit)).as("limit %d", limit).isNull();
        }
    }

    @Test
    void moreTypesThanPlaces_areStillTheirOwn() {
        List<Class<?>> classes = List.of(One.class, Two.class, OtherOne.class, One[].class, One[][].class, Kind.class);
        classes.forEach(type -> recent.add(types.of(type)));

        for (Class<?> type : classes) {
            byte[] declaration = types.of(type).declaration();
            GraphType found = recent.find(declaration, 0, declaration.length);

            assertThat(found == null ? type : found.getType()).isSameAs(type);
        }
    }

    private byte[] atOffset(int offset) {
        byte[] longer = new byte[offset + bytes.length + 3];
        Arrays.fill(longer, (byte) -1);
        System.arraycopy(bytes, 0, longer, offset, bytes.length);
        return longer;
    }

    record One(int number) {}

    record OtherOne(int number) {}

    record Two(int number, String text) {}

    enum Kind {
        SOME
    }
}
