// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import io.keyslot.cluster.terminal.Terminal;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

public final class MoveOptions {
    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "<id>", description = "A move, or a plan for all of its moves.")
    private String id = "";

    /** Returns the name of the move or of its plan. */
    public String id() {
        return id;
    }

    public OperatorSession session(Terminal terminal) {
        return new OperatorSession(terminal, connection, output);
    }
}
