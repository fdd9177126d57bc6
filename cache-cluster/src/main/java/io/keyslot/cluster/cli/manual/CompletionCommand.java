// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.manual;

import io.keyslot.cluster.terminal.Terminal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Prints the completion script for bash and zsh.",
        footer = {
            "",
            "Example:",
            "  source <(keyslot completion)",
            "  keyslot completion > ~/.local/share/bash-completion/completions/keyslot"
        })
public final class CompletionCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    public CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        CommandLine root = Objects.requireNonNull(spec).root().commandLine();
        terminal.out().println(AutoComplete.bash(root.getCommandName(), root));
    }
}
