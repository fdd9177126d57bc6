// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.terminal.Terminal;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The format of a command's result. */
final class OutputOptions {
    enum Form {
        TABLE,
        JSON;

        /** The form that shells complete. */
        @Override
        public String toString() {
            return ConstantText.of(this);
        }
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "<form>",
            description = "table (the default) or json.")
    private Form form = Form.TABLE;

    public boolean isJson() {
        return form == Form.JSON;
    }

    /** Prints the document for programs, or the lines for people. */
    public void print(Terminal terminal, Supplier<?> document, Supplier<List<String>> lines) {
        if (isJson()) {
            terminal.out().println(CanonicalJson.write(document.get()));
        } else {
            lines.get().forEach(terminal.out()::println);
        }
        terminal.out().flush();
    }
}
