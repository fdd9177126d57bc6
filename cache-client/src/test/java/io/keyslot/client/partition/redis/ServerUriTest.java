// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerUriTest {
    @ParameterizedTest
    @CsvSource({
        "redis://cache-1,                            redis://cache-1:6379",
        "redis://cache-1:6380/,                      redis://cache-1:6380",
        "valkey://cache-1:6380/2,                    redis://cache-1:6380/2",
        "rediss://cache-1,                           rediss://cache-1:6379",
        "valkeys://app:s3cret@cache-1:6380,          rediss://cache-1:6380",
        "redis://:s3cret@cache-1,                    redis://cache-1:6379",
        "redis://s3cret@cache-1,                     redis://cache-1:6379",
        "redis://[::1]:6380,                         redis://[::1]:6380"
    })
    void address_hasNoCredentials(String uri, String address) {
        ServerUri server = ServerUri.parse(uri);

        assertThat(server.address()).isEqualTo(address);
        assertThat(server).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s3cret",
                "http://app:s3cret@cache-1",
                "redis://app:s3cret@",
                "redis://app:s3cret@cache-1:port",
                "redis://app:s3cret@cache 1",
                "redis://app:s3cret@cache-1/zero",
                "redis://app:s3cret@cache-1?timeout=1s",
                "redis:s3cret"
            })
    void malformedAddress_isRejectedWithoutQuotingIt(String uri) {
        assertThatThrownBy(() -> ServerUri.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be like redis://")
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }

    @Test
    void encryptedAddress_verifiesTheHostName() {
        RedisURI uri = toRedisUri("rediss://cache-1");

        assertThat(uri.isSsl()).isTrue();
        assertThat(uri.getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
    }

    private static RedisURI toRedisUri(String uri) {
        return ServerUri.parse(uri).toRedisUri("keyslot:test:1", Duration.ofSeconds(1), null);
    }
}
