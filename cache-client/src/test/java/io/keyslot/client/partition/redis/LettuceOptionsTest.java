// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LettuceOptionsTest {
    private final ClientOptions options = LettuceOptions.of(Duration.ofMillis(300), TlsIdentity.none());

    @Test
    void lettuce_endsNoCommandByATimeoutOfItsOwn() {
        assertThat(options.getTimeoutOptions().isTimeoutCommands()).isFalse();
    }

    @Test
    void lostConnection_staysLost() {
        assertThat(options.isAutoReconnect()).isFalse();
        assertThat(options.getDisconnectedBehavior()).isEqualTo(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
    }
}
