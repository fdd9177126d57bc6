// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RedisResourcesTest {
    private static final Duration LIMIT = Duration.ofSeconds(15);

    @Test
    void close_beforeAClientHasEnded_waitsForIt() {
        RedisResources resources = RedisResources.create(System::nanoTime);
        CompletableFuture<Void> clientEnded = new CompletableFuture<>();
        resources.keepFor("client", clientEnded);

        CompletableFuture<Void> closed = resources.closeAsync();

        assertThat(closed).isNotDone();
        clientEnded.complete(null);
        assertThat(closed).succeedsWithin(LIMIT);
    }

    @Test
    void close_beforeAClientThatNeverEnds_isLimited() {
        RedisResources resources = RedisResources.create(System::nanoTime);
        resources.keepFor("client", new CompletableFuture<>());

        assertThat(resources.closeAsync()).succeedsWithin(LIMIT);
    }
}
