// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.show;

import io.keyslot.cluster.terminal.Terminal;
import java.util.List;

/** Prints what is unknown to standard error, so that it does not mix with data. */
final class Notes {
    private Notes() {}

    static void say(Terminal terminal, List<String> notes) {
        notes.forEach(note -> terminal.err().println("Note: " + note + "."));
        terminal.err().flush();
    }
}
