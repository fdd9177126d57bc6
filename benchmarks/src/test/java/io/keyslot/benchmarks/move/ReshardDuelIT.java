// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReshardDuelIT {
    private static Optional<Path> onPath(String name) {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getenv("PATH"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Test
    void bothSides_moveTheSameKeys() {
        Optional<Path> cli = Stream.of("redis-cli", "valkey-cli")
                .flatMap(name -> onPath(name).stream())
                .findFirst();
        assertThat(cli)
                .as("redis-cli or valkey-cli, which comes with a server, on the path")
                .isPresent();
        ReshardDuel duel =
                new ReshardDuel(3_000, 50, 512, List.of(cli.orElseThrow().toString()));

        ReshardDuel.Run theirs = duel.cluster(10);
        ReshardDuel.Run ours = duel.keyslot();

        assertThat(theirs.moved()).isPositive();
        assertThat(ours.moved()).isEqualTo(theirs.moved());
        assertThat(ours.moves()).hasSize(1);
    }
}
