// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.concurrent.SystemTicker;
import io.keyslot.cluster.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;

/** What a command printed and returned, run in this process. */
record CommandRun(int exitCode, String out, String err) {
    static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false, false);
        int exitCode = KeyslotCommand.run(terminal, new SystemTicker()::nanos, arguments);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
