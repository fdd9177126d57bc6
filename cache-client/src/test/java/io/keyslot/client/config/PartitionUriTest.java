// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionUriTest {
    private static final String SENTINELS = "redis+sentinel://[user:password@]host[:port],host[:port]/name[/database]";
    private static final String FORM = "redis://[user:password@]host[:port][/database]";

    @Nested
    class Parse {
        @Test
        void allParts_areRead() {
            PartitionUri uri = PartitionUriParser.uri("rediss://user:secret@Cache3.example:6380/2");

            assertThat(uri.tls()).isTrue();
            assertThat(uri.host()).isEqualTo("cache3.example");
            assertThat(uri.port()).isEqualTo(6380);
            assertThat(uri.database()).isEqualTo(2);
            assertThat(uri.username()).isEqualTo("user");
            assertThat(uri.password()).isEqualTo("secret");
        }

        @Test
        void percentEncodedPassword_isDecodedAndAPlusIsAPlus() {
            assertThat(PartitionUriParser.uri("redis://:a%40b%3A+@127.0.0.1").password())
                    .isEqualTo("a@b:+");
        }

        @ParameterizedTest
        @CsvSource({
            "redis://[::1]:7001, [::1]:7001",
            "redis://[2001:DB8::7], [2001:db8::7]:6379",
            "redis://cache_1:7001/, cache_1:7001",
            "valkey://host:7001, host:7001",
            "VALKEYS://host:7001, host:7001"
        })
        void hostsAndSchemes_areUnderstood(String text, String address) {
            assertThat(PartitionUriParser.uri(text).address()).isEqualTo(address);
        }

        @Test
        void sentinels_areReadWithWhatTheyCallTheInstance() {
            PartitionUri uri =
                    PartitionUriParser.uri("rediss+sentinel://me:s%40@One:7,[::1],three.example:26380/shop-1/2");

            assertThat(uri.tls()).isTrue();
            assertThat(uri.sentinels())
                    .isEqualTo(new PartitionUri.Sentinels(
                            "shop-1",
                            List.of(
                                    new PartitionUri(true, "one", 7, 0, null, null),
                                    new PartitionUri(true, "::1", 26379, 0, null, null),
                                    new PartitionUri(true, "three.example", 26380, 0, null, null))));
            assertThat(uri.database()).isEqualTo(2);
            assertThat(uri.username()).isEqualTo("me");
            assertThat(uri.password()).isEqualTo("s@");
            assertThat(uri.address()).isEqualTo("one:7,[::1]:26379,three.example:26380/shop-1");
            assertThat(uri.toString()).doesNotContain("s@", "s%40");

            assertThat(PartitionUriParser.uri(uri.withoutLogin().toString())).isEqualTo(uri.withoutLogin());
        }

        /** Between commas there are addresses, and within one of them sentinels. */
        @Test
        void addressesBetweenCommas_mayHaveSentinels() {
            List<PartitionOptions> partitions = Given.yaml(
                            "partitions: 'redis+sentinel://a,b:7,c/one," + " two=redis+sentinel://a,b/two, redis://d'")
                    .options()
                    .partitions();

            assertThat(partitions)
                    .extracting(partition -> partition.name() + " "
                            + Objects.requireNonNull(partition.uri()).address())
                    .containsExactly("p1 a:26379,b:7,c:26379/one", "two a:26379,b:26379/two", "p3 d:6379");
        }
    }

    @Nested
    class Refuse {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "127.0.0.1:7001 | must be an address of the form " + FORM,
                    "host | must be an address of the form " + FORM,
                    "http://host | must begin with redis://, rediss://, valkey:// or valkeys://",
                    "redis-sentinel://host | names sentinels: write " + SENTINELS,
                    "redis+sentinel://a,b | does not say what the sentinels call the instance: write " + SENTINELS,
                    "redis+sentinel://a,/shop | has no host: write " + FORM,
                    "unix:///run/redis.sock | names a unix socket, which is not supported: write " + FORM,
                    "redis-socket:///run/redis.sock | names a unix socket, which is not supported: write " + FORM,
                    "/run/redis.sock | names a unix socket, which is not supported: write " + FORM,
                    "redis:// | has no host: write " + FORM,
                    "redis://:7001 | has no host: write " + FORM,
                    "redis://host:70000 | has a port that is not from 1 to 65535",
                    "redis://user@host | has no colon before the @: write user:password@ or :password@",
                    "redis://user:@host | has an empty password: leave user, password and @ away if there is none",
                    "redis://:50%@host | has a % in user or password that is not followed by two hexadecimal digits",
                    "redis://host?timeout=1s | has something behind the port that is not the number of a database;"
                            + " timeouts and names are settings of their own"
                })
        void badForm_isRefusedWithTheRule(String text, String rule) {
            assertThatThrownBy(() -> PartitionUriParser.uri(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The partition's address " + rule);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"redis://host:port", "redis://::1:7001", "redis://a b", "redis://[zz]", "redis://host:"})
        void unreadableHostOrPort_isRefused(String text) {
            assertThatThrownBy(() -> PartitionUriParser.uri(text))
                    .hasMessageContaining("has a host or a port that cannot be read");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "redis://user:tiger@host:port",
                    "redis://user:ti/ger@host",
                    "redis://user:ti#ger@host",
                    "redis://user:tiger@",
                    "redis://user:tiger",
                    "user:tiger@host",
                    "redis:user:tiger@host",
                    "http://user:tiger@host",
                    "redis://user:tiger@host/tiger",
                    "redis://tiger@host",
                    "redis://user:tiger%@host"
                })
        void message_neverHasThePasswordOrAPieceOfIt(String text) {
            assertThatThrownBy(() -> PartitionUriParser.uri(text))
                    .hasMessageNotContainingAny("tiger", "ti/", "ger@", "user:t")
                    .hasStackTraceContaining("address");
            assertThat(Given.yaml("partitions:", "  p1: \"" + text + '"', "  p2: { uri: \"" + text + "\" }")
                            .failure())
                    .hasMessageNotContainingAny("tiger", "ti/", "ger@", "user:t");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "redis://cache-1,                            redis://cache-1:6379",
        "redis://cache-1:6380/,                      redis://cache-1:6380",
        "valkey://cache-1:6380/2,                    redis://cache-1:6380/2",
        "rediss://cache-1,                           rediss://cache-1:6379",
        "valkeys://app:s3cret@cache-1:6380,          rediss://cache-1:6380",
        "redis://:s3cret@cache-1,                    redis://cache-1:6379",
        "redis://[::1]:6380,                         redis://[::1]:6380",
        "'redis+sentinel://a:7,b/shop/1',            'redis+sentinel://a:7,b:26379/shop/1'"
    })
    void url_hasNoCredentials(String text, String url) {
        assertThat(PartitionUriParser.uri(text).url()).isEqualTo(url);
    }

    @Nested
    class ToString {
        @Test
        void password_isMasked() {
            PartitionUri uri = PartitionUriParser.uri("redis://user:secret@host:6380/0");

            assertThat(uri).hasToString("redis://user:***@host:6380/0");
        }

        @Test
        void passwordInPercentEncoding_isDecoded() {
            PartitionUri uri = PartitionUriParser.uri("rediss://us%20er:%40%3A%2F+%25%C3%A9@[::1]:7001/3");

            assertThat(uri.password()).isEqualTo("@:/+%é");
        }
    }
}
