// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.show;

import io.keyslot.cluster.terminal.Terminal;
import java.util.List;

/** What is not known: on standard error, so that it is in nobody's data. */
final class Notes {
    private Notes() {}

    static void say(Terminal terminal, List<String> notes) {
        notes.forEach(note -> terminal.err().println("Note: " + note + "."));
        terminal.err().flush();
    }
}
