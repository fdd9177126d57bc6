// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.ConnectFailure;
import io.keyslot.client.partition.ConnectFailure.Kind;
import io.lettuce.core.RedisConnectionException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectDiagnosisTest {
    private static final String ADDRESS = "redis://10.0.0.1:6379";

    /** A server that has all its clients closes at once; which of these is seen depends on who is faster. */
    static Throwable[] hangUps() {
        return new Throwable[] {
            new ClosedChannelException(),
            new IOException("Connection closed prematurely"),
            new IllegalStateException("RedisHandshakeHandler not registered")
        };
    }

    @ParameterizedTest
    @MethodSource("hangUps")
    void serverThatClosesAtOnce_isUnreachable_andItIsSaidWhatItMayBe(Throwable cause) {
        Throwable thrown = new CompletionException(new RedisConnectionException("Unable to connect", cause));

        ConnectFailure failure = ConnectDiagnosis.of(ADDRESS, "connect", thrown);

        assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failure)
                .hasMessageContainingAll(ADDRESS, "closed the connection without an answer", "rediss://", "maxclients");
    }
}
