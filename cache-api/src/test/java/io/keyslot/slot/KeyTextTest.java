// SPDX-License-Identifier: Apache-2.0
package io.keyslot.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTextTest {
    @Nested
    class Escape {
        @ParameterizedTest
        @ValueSource(strings = {"", "99", "customer_details", "größe", "a b", "\ud83d\ude00", "a\"b'c\\", "*?[]"})
        void ordinaryText_staysAsItIs(String id) {
            assertThat(KeyText.escapeId(id)).isSameAs(id);
        }

        @ParameterizedTest
        @CsvSource({"{customer:1}, %7Bcustomer:1%7D", "100%, 100%25", "a:b/c, a:b/c"})
        void reservedCharacters_areEscapedInIds(String id, String text) {
            assertThat(KeyText.escapeId(id)).isEqualTo(text);
        }

        @Test
        void separators_areEscapedInTypes() {
            assertThat(KeyText.escapeType("a:b/{c}")).isEqualTo("a%3Ab%2F%7Bc%7D");
        }

        @Test
        void moreReservedCharacters_areEscapedOnDemand() {
            assertThat(KeyText.escapeId("a,b{", ",")).isEqualTo("a%2Cb%7B");
        }

        @Test
        void controlCharacters_areEscapedAsTheirUtf8Bytes() {
            assertThat(KeyText.escapeId("\u0000\n\u007f\u0085")).isEqualTo("%00%0A%7F%C2%85");
        }

        @Test
        void unpairedSurrogates_areEscapedWithoutUtf8() {
            assertThat(KeyText.escapeId("\ud83d")).isEqualTo("%uD83D");
            assertThat(KeyText.escapeId("\ude00\ud83d")).isEqualTo("%uDE00%uD83D");
            assertThat(KeyText.escapeId("\ud83d\ud83d\ude00")).isEqualTo("%uD83D\ud83d\ude00");
        }
    }

    @Nested
    class Unescape {
        @ParameterizedTest
        @ValueSource(strings = {"%", "a%2", "%u", "%uD83", "%C2", "%C2%", "%zz", "%uzzzz", "%C2x85"})
        void brokenEscape_isRejected(String text) {
            assertThatThrownBy(() -> KeyText.unescape(text)).isInstanceOf(IllegalArgumentException.class);
        }

        @ParameterizedTest
        @ValueSource(strings = {"%FF%FF", "%80%80", "%C2%41", "%C0%80"})
        void bytesThatAreNotUtf8_areRejected(String text) {
            assertThatThrownBy(() -> KeyText.unescape(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
