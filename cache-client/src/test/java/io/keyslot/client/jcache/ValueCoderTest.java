// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.Codec;
import io.keyslot.cache.EntryLimits;
import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.entry.StampSource;
import io.keyslot.client.entry.ValueCoder;
import io.keyslot.client.stored.EncodedKey;
import io.keyslot.client.stored.Envelope;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ValueCoderTest {
    private static final EntryLimits LIMITS = EntryLimits.defaults().withValueBytes(100);

    private static final EncodedKey KEY = EncodedKey.of("texts:1");

    private static ValueCoder<String> coder(Codec<String> codec) {
        return new ValueCoder<>("texts", codec, LIMITS, new StampSource(new Random(1)), null);
    }

    private final ValueCoder<String> coder = coder(new EntryFixture.TextCodec());

    @Test
    void failureToEncode_namesCacheCodecAndType_notTheValue() {
        IllegalStateException cause = new IllegalStateException("cause");

        assertThatThrownBy(() -> coder(new Failing(cause)).encode(KEY, "secret", 0))
                .isInstanceOf(CodecException.class)
                .hasMessage("Cache texts: codec failing cannot encode a value of java.lang.String")
                .hasCause(cause);
    }

    @Test
    void refusalOfTheCodec_isKeptAndNamesTheCache() {
        ValueCoder<String> refusing = coder(new Failing(new CodecException("com.acme.Sale is not allowed")));
        Envelope envelope = coder.encode(KEY, "value", 0);

        assertThatThrownBy(() -> refusing.encode(KEY, "value", 0))
                .isInstanceOf(CodecException.class)
                .hasMessage("Cache texts: com.acme.Sale is not allowed");
        assertThatThrownBy(() -> refusing.decode(KEY, envelope))
                .isInstanceOf(CodecException.class)
                .hasMessage("Cache texts: com.acme.Sale is not allowed");
    }

    private record Failing(RuntimeException failure) implements Codec<String> {
        @Override
        public String name() {
            return "failing";
        }

        @Override
        public byte[] encode(String value) {
            throw failure;
        }

        @Override
        public String decode(ByteBuffer bytes) {
            throw failure;
        }
    }
}
