// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.terminal.Terminal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command of {@link KeyslotCommand}, which has the terminal. */
abstract class TerminalCommand {
    @Spec
    @Nullable
    CommandSpec spec;

    protected final Terminal terminal() {
        return ((KeyslotCommand) Objects.requireNonNull(spec).root().userObject()).terminal();
    }

    protected final ParameterException misused(String message, @Nullable Throwable cause) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message, cause);
    }
}
