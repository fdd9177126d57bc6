// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import io.keyslot.cluster.terminal.Terminal;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What all commands take that give an order to moves which are there. */
public final class MoveOptions {
    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "<id>", description = "A move, or a plan for all of its moves.")
    private String id = "";

    /** Returns what a move begins with that is meant: its own name, or that of its plan. */
    public String id() {
        return id;
    }

    public OperatorSession session(Terminal terminal) {
        return new OperatorSession(terminal, connection, output);
    }
}
