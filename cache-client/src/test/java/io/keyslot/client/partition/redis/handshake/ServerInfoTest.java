// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerInfoTest {
    private static final String RUN_ID = "8f3a01c2d4e5f60718293a4b5c6d7e8f90a1b2c3";
    private static final String REPLICATION_ID = "0123456789abcdef0123456789abcdef01234567";
    private static final String SERVER = "redis_version:7.0.15\r\nrun_id:" + RUN_ID + "\r\n";

    @Test
    void infoOfAServer_isRead() {
        String info = "# Server\r\nredis_version:7.0.15\r\nvalkey_version:8.1.0\r\nrun_id:" + RUN_ID
                + "\r\ntcp_port:6379\r\n";

        assertThat(ServerInfo.parse(info, "# Replication\r\nrole:master\r\nmaster_replid:" + REPLICATION_ID + "\r\n"))
                .contains(new ServerInfo(RUN_ID, REPLICATION_ID, false, 7, 0));
    }

    @ParameterizedTest
    @CsvSource({"slave, true", "replica, true", "master, false", "slavery, false"})
    void role_isRead(String role, boolean replica) {
        assertThat(ServerInfo.parse(SERVER, "role:" + role + "\r\n"))
                .map(ServerInfo::isReplica)
                .contains(replica);
    }

    @Test
    void serverRun_isThatOfTheRunAndOfTheReplication() {
        assertThat(ServerInfo.parse(SERVER, "master_replid:" + REPLICATION_ID))
                .map(ServerInfo::serverRun)
                .contains(RUN_ID + ":" + REPLICATION_ID);
    }

    @Test
    void serverThatDoesNotTellOfReplication_hasOneServerRunForEachRun() {
        assertThat(ServerInfo.parse(SERVER, "")).map(ServerInfo::serverRun).contains(RUN_ID + ":");
    }

    @Test
    void serverThatHidesItsRun_isKnownByItsReplication() {
        Optional<ServerInfo> info = ServerInfo.parse("", "role:master\r\nmaster_replid:" + REPLICATION_ID);

        assertThat(info).map(ServerInfo::runId).contains(REPLICATION_ID);
        assertThat(info).map(ServerInfo::reportsRunId).contains(false);
        assertThat(info).map(ServerInfo::isSupported).contains(true);
        assertThat(ServerInfo.parse(SERVER, "master_replid:" + REPLICATION_ID))
                .map(ServerInfo::reportsRunId)
                .contains(true);
    }

    @Test
    void infoOfSomethingElse_isEmpty() {
        assertThat(ServerInfo.parse("# Server\r\nversion:1\r\n", "")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"5, 0, false", "6, 0, false", "6, 2, true", "7, 0, true", "10, 1, true"})
    void supportedVersions_startWith6Point2(int major, int minor, boolean supported) {
        assertThat(new ServerInfo(RUN_ID, REPLICATION_ID, false, major, minor).isSupported())
                .isEqualTo(supported);
    }

    @ParameterizedTest
    @CsvSource({
        "redis_version:7.0.15, false",
        "redis_version:8.3.9, false",
        "redis_version:8.4.0, true",
        "redis_version:10.0.0, true",
        "redis_version:7.2.4;valkey_version:9.0.3, false",
        "redis_version:7.2.4;valkey_version:9.1.0, true",
        "redis_version:9.9.9;valkey_version:8.0.0, false",
        "version:9.9, false"
    })
    void manyAreSetWithAnExpiry_fromRedis8Point4AndValkey9Point1On(String lines, boolean sets) {
        assertThat(ServerInfo.parseOrNameless(lines.replace(";", "\r\n"), "").setsManyWithExpiry())
                .isEqualTo(sets);
    }

    @Test
    void serverThatSaysNeitherId_hasNoName() {
        ServerInfo nameless = ServerInfo.parseOrNameless("redis_version:7.4.0\r\n", "role:slave\r\n");

        assertThat(nameless.isNameless()).isTrue();
        assertThat(nameless.reportsRunId()).isFalse();
        assertThat(nameless.isReplica()).isTrue();
        assertThat(nameless.major()).isEqualTo(7);
        assertThat(nameless.serverRun()).isEqualTo(":");
        assertThat(ServerInfo.parseOrNameless(SERVER, "").isNameless()).isFalse();
    }
}
