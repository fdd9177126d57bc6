// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ConnectLimitTest {
    private final ConnectLimit limit = new ConnectLimit();
    private final List<CompletableFuture<String>> begun = new ArrayList<>();

    private CompletableFuture<String> connect() {
        return limit.run(() -> {
            CompletableFuture<String> connect = new CompletableFuture<>();
            begun.add(connect);
            return connect;
        });
    }

    @Test
    void thirdConnect_waitsForOneOfTheFirstTwo() {
        CompletableFuture<String> first = connect();
        assertThat(connect()).isNotDone();
        CompletableFuture<String> third = connect();
        assertThat(begun).hasSize(2);

        begun.get(0).complete("connected");
        assertThat(first).isCompletedWithValue("connected");
        assertThat(begun).hasSize(3);
        begun.get(2).complete("third");
        assertThat(third).isCompletedWithValue("third");
    }

    @Test
    void failedConnect_passesItsTurnOnAndItsFailure() {
        CompletableFuture<String> first = connect();
        assertThat(connect()).isNotDone();
        assertThat(connect()).isNotDone();
        begun.get(0).completeExceptionally(new IllegalStateException("refused"));

        assertThat(first).isCompletedExceptionally();
        assertThat(begun).hasSize(3);
    }

    @Test
    void connectThatThrows_doesNotKeepItsPlace() {
        for (int i = 0; i < 5; i++) {
            CompletableFuture<String> thrown = limit.run(() -> {
                throw new IllegalStateException("broken");
            });
            assertThat(thrown).isCompletedExceptionally();
        }
        assertThat(connect()).isNotDone();
        assertThat(connect()).isNotDone();

        assertThat(begun).hasSize(2);
    }

    @Test
    void connectBeyondTheBound_failsAtOnce() {
        for (int i = 0; i < ConnectLimit.MOST_AT_A_TIME + ConnectLimit.MOST_WAITING; i++) {
            assertThat(connect()).isNotDone();
        }

        assertThat(connect()).isCompletedExceptionally();
    }
}
