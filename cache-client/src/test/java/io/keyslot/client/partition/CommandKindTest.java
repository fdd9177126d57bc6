// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
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
}
