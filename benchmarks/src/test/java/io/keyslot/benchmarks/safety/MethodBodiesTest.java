// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MethodBodiesTest {
    private static final String SOURCE = """
            package a;

            final class Door<K> {
                private final int width;

                /** Opens {as wide} as it can. */
                Door(int width) {
                    this.width = width;
                }

                boolean isOpen(@Deprecated K key, List<String> names) {
                    return new Object() {
                        boolean isOpen() {
                            return "{".isEmpty();
                        }
                    }.isOpen();
                }

                boolean isOpen(K key) {
                    return true;
                }

                static final class Bell {
                    void ring() {}
                }
            }
            """;

    @Test
    void methods_areNamedByClassAndTypesOfParameters() {
        assertThat(MethodBodies.of(SOURCE).names())
                .containsExactly(
                        "Door.<init>(int)", "Door.isOpen(K, List<String>)", "Door.isOpen(K)", "Door.Bell.ring()");
    }

    @Nested
    class With {
        @Test
        void bodies_areReplaced_andNothingElse() {
            String changed = with("""
                    class Door<K> {
                        void isOpen(K k) {
                            // never
                            return false;
                        }
                        boolean isOpen(K key, List<String> names) { return names.isEmpty(); }
                        class Bell {
                            void ring() { System.out.println(); }
                        }
                    }
                    """);

            assertThat(changed)
                    .contains("isOpen(@Deprecated K key, List<String> names) { return names.isEmpty(); }\n")
                    .contains("// never\n")
                    .contains("void ring() { System.out.println(); }")
                    .contains("/** Opens {as wide} as it can. */", "this.width = width;")
                    .doesNotContain("return true;", "new Object()");
        }

        @Test
        void method_thatThereIsNot_isRefusedWithThoseThatThereAre() {
            assertThatThrownBy(() -> with("class Door { boolean isOpen(int key) { return true; } }"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("there is no Door.isOpen(int)")
                    .hasMessageContaining("Door.isOpen(K)");
        }

        private String with(String others) {
            return MethodBodies.of(SOURCE).with(MethodBodies.of(others));
        }
    }

    @Test
    void text_thatIsNotJava_isRefused() {
        assertThatThrownBy(() -> MethodBodies.of("class Door { void open( }"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Not Java: ");
    }
}
