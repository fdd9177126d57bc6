// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CommandKindTest {
    static Stream<Class<?>> commands() {
        return commandsOf(Command.class);
    }

    private static Stream<Class<?>> commandsOf(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(CommandKindTest::commandsOf)
                : Stream.of(type);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void eachCommandHasAKind(Class<?> command) {
        assertThat(CommandKind.ALL).containsKey(command);
    }

    @Test
    void theMetersDocument_listsTheNamesOfAllCommands() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "meters.md"));
        String listed = document.split("\nCommands: ", 2)[1].split("\n\n", 2)[0];

        assertThat(Pattern.compile("`(\\w+)`").matcher(listed).results().map(name -> name.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        CommandKind.ALL.values().stream().map(CommandKind::name).collect(Collectors.toSet()));
    }
}
