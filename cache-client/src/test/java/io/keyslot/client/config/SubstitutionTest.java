// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubstitutionTest {
    private final Substitution substitution = new Substitution(Map.of("NAME", "shop", "EMPTY", "")::get);

    @Nested
    class Resolve {
        @ParameterizedTest
        @CsvSource({
            "${NAME}, shop",
            "a-${NAME}-b${NAME}, a-shop-bshop",
            "${OTHER:x}, x",
            "${OTHER:}y, y",
            "${OTHER:a:b}, a:b",
            "${NAME:x}, shop",
            "<${EMPTY:x}>, <>",
            "$${NAME}, ${NAME}",
            "$${NAME}${NAME}, ${NAME}shop",
            "${NAME}$${NAME}, shop${NAME}",
            "$NAME $ {}, $NAME $ {}"
        })
        void variables_areReplaced(String raw, String resolved) throws BadValueException {
            assertThat(substitution.resolve(raw)).isEqualTo(resolved);
        }

        @Test
        void file_isReplacedByItsText(@TempDir Path directory) throws Exception {
            Path file = Files.writeString(directory.resolve("key"), "abc=\n");

            assertThat(substitution.resolve("${file:" + file + "}")).isEqualTo("abc=");
            Path large = Files.write(directory.resolve("large"), new byte[(16 << 10) + 1]);
            assertThatThrownBy(() -> substitution.resolve("${file:" + large + "}"))
                    .hasMessage(
                            "names the file %s, which is larger than 16 KiB: name one with only the value in it",
                            large);
        }

        @Test
        void missingBrace_isRefused() {
            assertThatThrownBy(() -> substitution.resolve("a${NAME"))
                    .hasMessage("has a ${ without }: write $${ if no variable is meant");
        }

        @ParameterizedTest
        @ValueSource(strings = {"${}", "${1A}", "${secret word}"})
        void badName_isRefusedAndNotShown(String raw) {
            assertThatThrownBy(() -> substitution.resolve(raw))
                    .hasMessage("has a ${…} that does not begin with the name of an environment variable");
        }

        @Test
        void variableInADefault_isRefused() {
            assertThatThrownBy(() -> substitution.resolve("${OTHER:${NAME}}"))
                    .hasMessage("has a variable in the default of OTHER: give a plain default");
        }
    }

    @Nested
    class InAFile {
        private static final String PASSWORD = "p@ss:w/r,d#?%41${x}\nengine: embedded";

        @Test
        void valueOfAVariable_neverBecomesStructure() {
            ClientOptions options = Given.yaml("partitions:", "  p3: rediss://user:${P3}@cache3.example:6380")
                    .variable("P3", PASSWORD)
                    .options();

            @Nullable PartitionUri uri = options.partitions().get(0).uri();
            assertThat(uri).hasToString("rediss://user:***@cache3.example:6380/0");
            assertThat(uri).extracting(PartitionUri::password).isEqualTo(PASSWORD);
        }

        @Test
        void passwordWithAComma_doesNotSplitTheAddressesOfAProperty() {
            ClientOptions options = Given.yaml()
                    .property("keyslot.partitions", "redis://:${PW}@a,b=redis://:${PW}@b")
                    .variable("PW", PASSWORD)
                    .options();

            assertThat(options.partitions())
                    .extracting(partition -> partition.name() + " " + partition.uri())
                    .containsExactly("p1 redis://:***@a:6379/0", "b redis://:***@b:6379/0");
        }

        @Test
        void wholeUriInAVariable_isReadAsAUri() {
            ClientOptions options = Given.yaml("partitions: { p1: '${P1}' }")
                    .variable("P1", "redis://u:%40${x@host:7001")
                    .options();

            @Nullable PartitionUri uri = options.partitions().get(0).uri();
            assertThat(uri).hasToString("redis://u:***@host:7001/0");
            assertThat(uri).extracting(PartitionUri::password).isEqualTo("@${x");
        }

        @Test
        void valueOfAVariableInABadValue_isNotShown() {
            assertThat(Given.yaml("caches: { sale: { ttl: '${TTL}' } }")
                            .variable("TTL", "tiger")
                            .problems())
                    .containsExactly("keyslot.yaml:1:19: caches.sale.ttl is \"${TTL}\","
                            + " must be a duration such as 10m, 1h or 250ms");
        }

        @Test
        void uriInTheWrongPlace_isNotShown() {
            assertThat(Given.yaml("namespace: redis://user:tiger@host", "redis://user:tiger@host: 1")
                            .failure())
                    .hasMessageNotContaining("tiger")
                    .hasMessageContaining("namespace is not shown, because it may hold a password, must be")
                    .hasMessageContaining("keyslot.yaml:2:1: *** is not a setting");
        }
    }
}
