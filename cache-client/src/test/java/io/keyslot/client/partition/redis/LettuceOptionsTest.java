// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.TlsOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

class LettuceOptionsTest {
    @Test
    void encryptedAddress_verifiesTheHostName() {
        PartitionUri server = new PartitionUri(true, "cache-1", 6379, 0, null, null);

        RedisURI uri = LettuceOptions.uri(server, "keyslot:test:1", Duration.ofSeconds(1), null);

        assertThat(uri.isSsl()).isTrue();
        assertThat(uri.getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
    }

    @Test
    void material_isTakenOnceForAConnection() throws Exception {
        AtomicInteger taken = new AtomicInteger();
        TlsOptions.Material material =
                new TlsOptions.Material(null, null, List.of("TLSv1.2"), List.of("TLS_RSA_WITH_AES_128_GCM_SHA256"));
        TlsOptions counting = new TlsOptions(
                () -> {
                    taken.incrementAndGet();
                    return material;
                },
                null);

        SslContext context = LettuceOptions.of(Duration.ofMillis(300), counting)
                .getSslOptions()
                .createSslContextBuilder()
                .build();

        assertThat(taken).hasValue(1);
        SSLEngine engine = context.newEngine(ByteBufAllocator.DEFAULT);
        assertThat(engine.getEnabledProtocols()).containsExactlyElementsOf(material.protocols());
        assertThat(engine.getEnabledCipherSuites()).containsExactlyElementsOf(material.ciphers());
    }
}
