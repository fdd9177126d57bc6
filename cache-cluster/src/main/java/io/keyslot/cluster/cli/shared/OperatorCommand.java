// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that connects as its options say, and prints lines for people or a document for programs. */
public abstract class OperatorCommand implements Callable<Integer> {
    protected final Terminal terminal;

    @Mixin
    protected ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    protected OutputOptions output = new OutputOptions();

    @Spec
    private @Nullable CommandSpec spec;

    protected OperatorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    protected final OperatorSession session() {
        return new OperatorSession(terminal, connection, output);
    }

    protected final void print(Supplier<?> document, Supplier<List<String>> lines) {
        output.print(terminal, document, lines);
    }

    protected final ParameterException misused(String message, @Nullable Throwable cause) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message, cause);
    }
}
