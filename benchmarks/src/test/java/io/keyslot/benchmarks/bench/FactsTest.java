// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FactsTest {
    @Nested
    class ServerVersion {
        @Test
        void ofRedis_isItsOwn() {
            assertThat(Facts.serverVersion("# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n"))
                    .isEqualTo("redis 7.0.15");
        }

        @Test
        void ofValkey_isNotThatOfTheRedisThatItIsLike() {
            assertThat(Facts.serverVersion(
                            "# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.0\r\n"))
                    .isEqualTo("valkey 8.1.0");
        }

        @Test
        void thatIsNotSaid_isUnknown() {
            assertThat(Facts.serverVersion("")).isEqualTo("redis (unknown version)");
        }
    }

    @Test
    void libraries_haveTheVersionsOfTheirJars() {
        Stream<Path> jars = Stream.of(
                        "lib/lettuce-core-7.7.0.RELEASE.jar",
                        "lib/caffeine-3.2.4.jar",
                        "lib/netty-transport-native-epoll-4.2.20.Final.jar",
                        "lib/snakeyaml-engine-3.2.jar",
                        "target/classes")
                .map(Path::of);

        assertThat(Facts.libraries(jars)).isEqualTo(Map.of("lettuce-core", "7.7.0.RELEASE", "caffeine", "3.2.4"));
    }
}
