// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.PubSubEndpoint;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ActivationsTest {
    private final RedisClient client = RedisClient.create();
    private final Activations activations = new Activations();

    @AfterEach
    void close() {
        client.shutdown();
    }

    @Test
    void connection_isUsableOnceItIsToldOfItsChannel_whoeverAsksFirst() {
        StatefulRedisConnectionImpl<String, String> one = connection();
        StatefulRedisConnectionImpl<String, String> other = connection();
        CompletableFuture<SocketAddress> asked = activations.of(one);
        assertThat(asked).isNotDone();

        activations.onRedisConnected(one, new InetSocketAddress(0));

        assertThat(asked).isDone();
        assertThat(activations.of(one)).isDone();
        assertThat(activations.of(other)).isNotDone();
    }

    @Test
    void connection_thatIsLostBefore_fails() {
        StatefulRedisConnectionImpl<String, String> lost = connection();

        activations.onRedisDisconnected(lost);

        assertThat(activations.of(lost)).isCompletedExceptionally();
    }

    private StatefulRedisConnectionImpl<String, String> connection() {
        PubSubEndpoint<String, String> endpoint = new PubSubEndpoint<>(client.getOptions(), client.getResources());
        return new StatefulRedisConnectionImpl<>(endpoint, endpoint, StringCodec.UTF8, Duration.ofSeconds(1));
    }
}
