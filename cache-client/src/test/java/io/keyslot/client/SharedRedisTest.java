// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.redis.RedisResources;
import org.junit.jupiter.api.Test;

class SharedRedisTest {
    private final SharedRedis shared = new SharedRedis(() -> RedisResources.create(() -> 0));

    @Test
    void clients_shareOneSet_untilTheLastHasGivenItBack() {
        RedisResources first = shared.acquire();
        assertThat(shared.acquire()).isSameAs(first);

        shared.release();
        assertThat(shared.acquire()).isSameAs(first);

        shared.release();
        shared.release();
        RedisResources next = shared.acquire();
        assertThat(next).isNotSameAs(first);
        shared.release();
    }
}
