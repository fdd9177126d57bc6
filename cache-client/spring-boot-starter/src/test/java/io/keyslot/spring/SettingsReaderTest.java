// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ConfigurationException;
import io.keyslot.client.config.ConfigurationLoader;
import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** What {@code keyslot.*} of an environment means is what a file with the same settings means. */
class SettingsReaderTest {
    private static final URI DEFAULT = URI.create("keyslot");
    private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

    private final Map<String, Object> given = new LinkedHashMap<>();
    private final Map<String, Object> variables = new LinkedHashMap<>();
    private final Map<String, Object> lower = new LinkedHashMap<>();

    private ClientOptions options() {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("lower", lower));
        environment.getPropertySources().addFirst(new MapPropertySource("given", given));
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));
        Properties properties = new Properties();
        properties.put(ConfigurationLoader.SETTINGS, new SettingsReader(environment).read());
        return ConfigurationLoader.load(
                DEFAULT, DEFAULT, SettingsReaderTest.class.getClassLoader(), properties, name -> null);
    }

    private List<String> problems() {
        return catchThrowableOfType(ConfigurationException.class, this::options).problems();
    }

    @Test
    void names_areRelaxed_andThoseOfCachesAreNot() {
        given.put("keyslot.caches.Books.missing-partition-writes", "journal");
        given.put("keyslot.caches[a.b].ttl", "10m");
        given.put("keyslot.deadlines.call", "1s");
        given.put("keyslot.traffic_reports", "off");
        variables.put("KEYSLOT_DEADLINES_COMMAND", "50ms");
        variables.put("KEYSLOT_LIMITS_KEYBYTES", "2KiB");

        ClientOptions options = options();

        assertThat(options.cache("Books").missingPartitionWrites()).isNotNull();
        assertThat(options.cache("a.b").ttl()).isEqualTo(Duration.ofMinutes(10));
        assertThat(options.deadlines().call()).isEqualTo(Duration.ofSeconds(1));
        assertThat(options.deadlines().command()).isEqualTo(Duration.ofMillis(50));
        assertThat(options.limits().keyBytes()).isEqualTo(2048);
    }

    @Test
    void list_isThatOfTheSourceThatCountsMost() {
        lower.put("keyslot.partitions[0]", "redis://a");
        lower.put("keyslot.partitions[1]", "redis://b");
        lower.put("keyslot.partitions[2]", "redis://c");
        given.put("keyslot.partitions[0]", "redis://d");
        given.put("keyslot.codec.allow[0]", "com.acme.*");
        given.put("keyslot.codec.allow[1]", "org.acme.*");

        ClientOptions options = options();

        assertThat(options.partitions())
                .extracting(partition -> Objects.requireNonNull(partition.uri()).host())
                .containsExactly("d");
        assertThat(options.codec().allow()).containsExactly("com.acme.*", "org.acme.*");
    }

    @Test
    void partitionsByName_keepTheirNames() {
        given.put("keyslot.partitions.red-1", "redis://a");
        given.put("keyslot.partitions.blue.uri", "redis://b");
        given.put("keyslot.partitions.blue.weight", 2);

        assertThat(options().partitions())
                .extracting(partition -> partition.name().name() + " " + partition.weight())
                .containsExactlyInAnyOrder("red-1 1", "blue 2");
    }

    /** What a placeholder gives is not looked through again. */
    @Test
    void placeholders_areReplacedOnce() {
        given.put("keyslot.partitions", "redis://${host}");
        given.put("host", "cache.example");
        given.put("keyslot.connection.username", "${user}");
        given.put("user", "a$b}");
        given.put("keyslot.connection.password", "pa${ss");

        PartitionUri uri = Objects.requireNonNull(options().partitions().get(0).uri());

        assertThat(uri.host()).isEqualTo("cache.example");
        assertThat(uri.username()).isEqualTo("a$b}");
        assertThat(uri.password()).isEqualTo("pa${ss");
    }

    @Test
    void problems_nameTheProperty() {
        given.put("keyslot.caches.sale.ttl", "10 parsecs");
        given.put("keyslot.caches.sale.groupdBy", "customer");
        given.put("keyslot.connection.password", "${nobody}");

        assertThat(problems())
                .hasSize(3)
                .anySatisfy(problem -> assertThat(problem)
                        .contains("keyslot.caches.sale.ttl", "caches.sale.ttl is \"10 parsecs\"", "\"given\""))
                .anySatisfy(problem -> assertThat(problem).contains("did you mean groupedBy"))
                .anySatisfy(problem -> assertThat(problem).contains("nobody"));
    }

    @Test
    void variableOfOthers_isNoSetting() {
        variables.put("KEYSLOT_SERVICE_HOST", "10.0.0.1");
        variables.put("KEYSLOT_SERVER_BINARY", "redis-server");

        assertThat(options().partitions()).hasSize(3);
    }

    @Test
    void propertyOfTheStarter_isNoSetting() {
        given.put("keyslot.ssl.bundle", "x");
        given.put("keyslot.config", "y");

        assertThat(options().partitions()).hasSize(3);
    }

    static List<String> paths() {
        return Setting.WITH_REPEATED.stream().map(Setting::path).toList();
    }

    /** A setting that has no name in an environment could not be made. */
    @ParameterizedTest
    @MethodSource("paths")
    void everySetting_hasAName(String path) {
        String kebab = CAPITAL.matcher(path.replace("<name>", "x"))
                .replaceAll(capital -> "-" + capital.group().toLowerCase(java.util.Locale.ROOT));
        given.put("keyslot." + kebab + ".wrong.wrong", "1");

        assertThatThrownBy(this::options)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(path.replace("<name>", "x"));
    }
}
