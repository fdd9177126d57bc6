// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.cache.LoadingOptions;
import io.keyslot.cache.MissingPartitionWritePolicy;
import io.keyslot.cache.WriteBehindOptions;
import io.keyslot.cache.feed.FeedOptions;
import io.keyslot.cache.near.NearOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The document, the list of settings and the reader say the same. */
class ConfigurationDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "configuration.md");

    @Test
    void document_hasOneRowForEachSettingInOrder() throws IOException {
        List<String> documented = section("## Settings")
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(row -> String.join("|", List.of(row.split("\\|", -1)).subList(1, 4))
                        .replaceAll(" *\\| *", "|"))
                .map(String::strip)
                .toList();

        assertThat(documented)
                .containsExactlyElementsOf(Setting.ALL.stream()
                        .map(setting -> "`%s`|%s|%s".formatted(setting.path(), setting.type(), setting.otherwise()))
                        .toList());
    }

    @Test
    void defaultsOfTheList_areThoseOfTheOptions() {
        Properties defaults = new Properties();
        Setting.ALL.stream()
                .filter(setting ->
                        !setting.otherwise().isEmpty() && !setting.path().contains("<"))
                .forEach(setting -> defaults.setProperty("keyslot." + setting.path(), setting.otherwise()));

        ClientOptions options =
                ConfigurationLoader.read(Optional.empty(), Given.class.getClassLoader(), defaults, name -> null);

        assertThat(options).usingRecursiveComparison().ignoringFields("origin").isEqualTo(Given.defaults());
    }

    @Test
    void defaultsOfACacheInTheList_areThoseOfItsOptions() {
        String prefix = "caches.<name>.";
        Properties defaults = new Properties();
        Setting.ALL.stream()
                .filter(setting ->
                        !setting.otherwise().isEmpty() && setting.path().startsWith(prefix))
                .filter(setting -> !Set.of(prefix + "writeBehind", prefix + "feed", prefix + "compression")
                        .contains(setting.path()))
                .forEach(setting -> defaults.setProperty(
                        "keyslot." + setting.path().replace("<name>", "sale"), setting.otherwise()));
        defaults.setProperty("keyslot.caches.sale.readThrough", "true");
        defaults.setProperty("keyslot.caches.sale.writeThrough", "true");
        defaults.setProperty("keyslot.caches.sale.near.maximumEntries", "7");

        CacheOptions sale = ConfigurationLoader.read(
                        Optional.empty(), Given.class.getClassLoader(), defaults, name -> null)
                .cache("sale");

        assertThat(sale.loading()).isEqualTo(LoadingOptions.defaults());
        assertThat(sale.writeBehind()).isEqualTo(WriteBehindOptions.defaults());
        assertThat(sale.feed()).isEqualTo(FeedOptions.defaults());
        assertThat(sale.near()).isEqualTo(NearOptions.ofEntries(7));
        assertThat(sale.stored().compressedFrom()).isEqualTo(1 << 10);
        assertThat(sale.missingPartitionWrites()).isEqualTo(MissingPartitionWritePolicy.FAIL);
    }

    static List<String> paths() {
        return Setting.WITH_REPEATED.stream().map(Setting::path).toList();
    }

    // A setting that nobody reads would cause no problem.
    @ParameterizedTest
    @MethodSource("paths")
    void setting_isRead(String path) {
        StringBuilder yaml = new StringBuilder();
        String indent = "";
        for (String key : path.replace("<name>", "x").split("\\.", -1)) {
            yaml.append(yaml.isEmpty() ? "" : "\n").append(indent).append(key).append(':');
            indent += "  ";
        }

        assertThat(Given.yaml(yaml + " [ { wrong: 1 } ]").problems())
                .anyMatch(problem -> problem.contains(": " + path.replace("<name>", "x") + " "));
    }

    @Test
    void example_isReadWithoutProblems() throws IOException {
        String document = Files.readString(DOCUMENT);
        String example = document.split("```yaml\n", 2)[1].split("```", 2)[0];

        ClientOptions options =
                Given.yaml(example).variable("P3_PASSWORD", "secret").options();

        assertThat(options.partitions()).hasSize(3);
    }

    @Test
    void otherNames_areThoseOfTheCode() throws IOException {
        String names = section("## Names of other clients");

        assertThat(UnknownKey.ELSEWHERE.keySet()).allMatch(name -> names.contains('`' + name + '`'));
        assertThat(Pattern.compile("`([A-Za-z]+)`").matcher(names).results())
                .map(name -> name.group(1))
                .filteredOn(name -> !List.of("partitions", "deadlines", "ttl", "namespace", "codec")
                        .contains(name))
                .containsExactlyInAnyOrderElementsOf(UnknownKey.ELSEWHERE.keySet());
    }

    private static String section(String heading) throws IOException {
        String rest = Files.readString(DOCUMENT).split(Pattern.quote(heading + "\n"), 2)[1];
        return rest.split("\n## ", 2)[0];
    }
}
