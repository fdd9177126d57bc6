// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.jcache.HashedKeysContract;
import io.keyslot.cluster.local.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** Hashed keys on a real server, which shows the id of no entry in its keys and commands. */
@SuppressWarnings("NullAway.Init") // the servers are set before all tests
@SideBySide
class InstancesHashedKeysIT extends HashedKeysContract {
    @AutoClose
    private static TestServers servers;

    InstancesHashedKeysIT() {
        super(InstancesHashedKeysIT::properties);
    }

    @BeforeAll
    static void startServers() {
        servers = TestServers.start(1);
        RedisClient client = RedisClient.create(servers.uri(0));
        client.connect().sync().configSet("slowlog-log-slower-than", "0");
        client.connect().sync().configSet("slowlog-max-len", "100000");
        client.shutdown();
    }

    private static Properties properties() {
        return ServersConformance.patient("instances", servers.uris());
    }

    @AfterEach
    void serverShowsNoId() {
        RedisClient client = RedisClient.create(servers.uri(0));
        try {
            RedisCommands<String, String> commands = client.connect().sync();
            assertThat(String.join(" ", commands.keys("*"))).doesNotContain("ada");
            assertThat(commands.slowlogGet(100_000).toString()).contains("GET").doesNotContain("ada@");
        } finally {
            client.shutdown();
        }
    }
}
