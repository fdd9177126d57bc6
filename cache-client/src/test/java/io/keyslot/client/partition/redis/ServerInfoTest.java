// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerInfoTest {
    private static final String RUN_ID = "8f3a01c2d4e5f60718293a4b5c6d7e8f90a1b2c3";

    @Test
    void infoOfAServer_isRead() {
        String info = "# Server\r\nredis_version:7.0.15\r\nvalkey_version:8.1.0\r\nrun_id:" + RUN_ID
                + "\r\ntcp_port:6379\r\n";

        assertThat(ServerInfo.parse(info)).contains(new ServerInfo(RUN_ID, 7, 0));
    }

    @Test
    void infoOfSomethingElse_isEmpty() {
        assertThat(ServerInfo.parse("# Server\r\nversion:1\r\n")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"5, 0, false", "6, 0, false", "6, 2, true", "7, 0, true", "10, 1, true"})
    void supportedVersions_startWith6Point2(int major, int minor, boolean supported) {
        assertThat(new ServerInfo(RUN_ID, major, minor).isSupported()).isEqualTo(supported);
    }
}
