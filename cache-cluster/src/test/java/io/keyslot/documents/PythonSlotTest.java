// SPDX-License-Identifier: Apache-2.0
package io.keyslot.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.keyslot.slot.HashSlot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The lines of Python of {@code docs/values.md} find the slot and the instance that we find. */
class PythonSlotTest {
    private static final String BEGIN = "```python\n";
    private static final String LETTERS = "{}{}abz:\u00f6\u20ac";
    private static final String ASKED = """

            import sys
            sys.stdin.reconfigure(encoding="utf-8")
            for line in sys.stdin:
                key = line.rstrip("\\n")
                print(slot(key), host(key))
            """;

    @Test
    void linesOfTheDocument_findOurSlots() throws Exception {
        assumeThat(Files.isExecutable(Path.of("/usr/bin/python3"))).isTrue();
        String page = Files.readString(Path.of("../docs/values.md"));
        String code = page.substring(page.indexOf(BEGIN) + BEGIN.length());
        List<String> keys = keys(new Random(16));

        List<String> found = answers(code.substring(0, code.indexOf("```")) + ASKED, keys);

        assertThat(found).isEqualTo(keys.stream().map(PythonSlotTest::expected).toList());
    }

    private static String expected(String key) {
        int slot = HashSlot.of(key.getBytes(StandardCharsets.UTF_8));
        return "%d 10.0.0.%d".formatted(slot, slot < 5462 ? 1 : slot < 10923 ? 2 : 3);
    }

    /** Many with braces, in every order. */
    private static List<String> keys(Random random) {
        List<String> keys = new ArrayList<>(List.of("price:42", "{a}b", "{}a", "a{b}{c}", "a{{b}}", "}{a}", "{a"));
        for (int i = 0; i < 2_000; i++) {
            keys.add(random.ints(1 + random.nextInt(12), 0, 10)
                    .mapToObj(letter -> LETTERS.substring(letter, letter + 1))
                    .collect(Collectors.joining()));
        }
        return keys;
    }

    private static List<String> answers(String code, List<String> asked) throws IOException, InterruptedException {
        Path keys = Files.createTempFile("keys", ".txt"); // not by a pipe, where each side may wait for the other
        try {
            Files.writeString(keys, String.join("\n", asked) + "\n");
            Process python = new ProcessBuilder("/usr/bin/python3", "-c", code)
                    .redirectInput(keys.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String all = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(python.waitFor()).isZero();
            return all.lines().toList();
        } finally {
            Files.delete(keys);
        }
    }
}
