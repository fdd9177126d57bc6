// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class YamlDocumentTest {
    @Nested
    class Read {
        @Test
        void brokenYaml_isReportedWithItsPlace() {
            assertThat(Given.yaml("caches:", "  sale: { ttl: 1h").problems())
                    .singleElement()
                    .asString()
                    .startsWith("keyslot.yaml:3:1: is not YAML: expected ',' or '}'");
        }

        @Test
        void brokenYaml_isNotQuoted() {
            assertThat(Given.yaml("partitions:", "  p1: redis://:tiger@host", " p2: 'redis://:tiger@host")
                            .failure())
                    .hasMessageContaining("is not YAML")
                    .hasMessageNotContaining("tiger")
                    .hasNoCause();
        }

        @Test
        void controlCharacter_isRefused() {
            assertThat(Given.yaml("namespace: a\u0001").problems())
                    .containsExactly("keyslot.yaml:1:1: is not YAML in UTF-8 without control characters");
        }

        @Test
        void secondDocument_isRefused() {
            assertThat(Given.yaml("metrics: true", "---", "metrics: false").problems())
                    .singleElement()
                    .asString()
                    .startsWith("keyslot.yaml:2:1: is not YAML:");
        }

        @Test
        void anchors_areRefusedWhereTheyStand() {
            assertThat(Given.yaml("caches:", "  a: &x { ttl: 1h }", "  b: *x", "  c: &y [ *y ]")
                            .problems())
                    .containsExactly(
                            "keyslot.yaml:2:6: anchors and aliases are not used here, write the value out",
                            "keyslot.yaml:2:6: anchors and aliases are not used here, write the value out",
                            "keyslot.yaml:4:6: anchors and aliases are not used here, write the value out");
        }

        @Test
        void tags_areRefused() {
            assertThat(Given.yaml("namespace: !!java.io.File a").problems())
                    .contains("keyslot.yaml:1:12: tags are not used here, write the value without one");
        }

        @Test
        void nodes_doNotShowTheirText() {
            byte[] content = "partitions: { p1: 'redis://:tiger@host' }".getBytes(StandardCharsets.UTF_8);

            assertThat(YamlDocument.read("keyslot.yaml", content, new Problems())
                            .toString())
                    .contains("a single value at keyslot.yaml:1:15")
                    .doesNotContain("tiger");
        }

        @Test
        void keyThatIsNotText_isRefused() {
            assertThat(Given.yaml("? [ a ]", ": 1").problems())
                    .containsExactly("keyslot.yaml:1:3: a key must be plain text");
        }
    }
}
