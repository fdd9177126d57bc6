// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.manual;

import io.keyslot.cluster.terminal.Terminal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "man",
        description = "Prints the manual page in the format of man.",
        footer = {"", "Example:", "  keyslot man > keyslot.1; man ./keyslot.1"})
public final class ManCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    public ManCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        CommandLine root = Objects.requireNonNull(spec).root().commandLine();
        terminal.out().println(ManPage.of(root));
    }
}
