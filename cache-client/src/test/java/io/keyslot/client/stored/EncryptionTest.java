// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.client.codec.VerifiedCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class EncryptionTest {
    private static final EncodedKey KEY = EncodedKey.of("customer:99");
    private static final byte[] ADA = text("Ada");

    private final Encryption encryption = new Encryption(secret(1), List.of());

    private static byte[] secret(int first) {
        byte[] secret = new byte[Encryption.SECRET_BYTES];
        for (int i = 0; i < secret.length; i++) {
            secret[i] = (byte) (first + i);
        }
        return secret;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The form of a released version stays readable. */
    @Test
    void goldenBytes_areRead() {
        byte[] stored =
                HexFormat.of().parseHex("01ae216c2efe879727cea496646e25b2bcd0b68e3ebe83b1d41c86379fb267a40eea436e");

        assertThat(encryption.encryptElement(KEY, text("set"), ADA)).isEqualTo(stored);
        assertThat(encryption.decryptElement(KEY, text("set"), stored)).isEqualTo(ADA);
    }

    @Test
    void values_differ_andElementsDoNot() {
        assertThat(encryption.encryptValue(KEY, ADA)).isNotEqualTo(encryption.encryptValue(KEY, ADA));
        byte[] element = encryption.encryptElement(KEY, text("set"), ADA);
        assertThat(encryption.encryptElement(KEY, text("set"), ADA)).isEqualTo(element);
        assertThat(encryption.encryptElement(EncodedKey.of("customer:9"), text("set"), ADA))
                .isNotEqualTo(element);
        assertThat(encryption.encryptElement(KEY, text("list"), ADA)).isNotEqualTo(element);
    }

    @Test
    void elementElsewhere_isRefused() {
        byte[] element = encryption.encryptElement(KEY, text("set"), ADA);

        assertThatThrownBy(() -> encryption.decryptElement(KEY, text("list"), element))
                .hasMessage("not_authentic");
        assertThatThrownBy(() -> encryption.decryptElement(EncodedKey.of("customer:9"), text("set"), element))
                .hasMessage("not_authentic");
        byte[] asAValue = new byte[Integer.BYTES + element.length];
        System.arraycopy(element, 0, asAValue, Integer.BYTES, element.length);
        ByteBuffer.wrap(asAValue).putInt(0, ~VerifiedCodec.checksum(element, 0, element.length));
        assertThatThrownBy(() -> encryption.decryptValue(KEY, asAValue, 0, asAValue.length))
                .hasMessage("not_authentic");
        byte[] value = encryption.encryptValue(KEY, ADA);
        byte[] asAnElement = Arrays.copyOfRange(value, Integer.BYTES, value.length);
        assertThatThrownBy(() -> encryption.decryptElement(KEY, text("set"), asAnElement))
                .hasMessage("not_authentic");
    }

    @Test
    void secretOfAnotherLength_isRefused_andNotShown() {
        assertThatThrownBy(() -> new Encryption(new byte[16], List.of()))
                .hasMessage("an encryption key has 16 bytes, must have 32");
        assertThat(encryption).hasToString("encryption by the keys [ae216c2e]");
    }
}
